// The yardsticks of the benchmark: what anybody would write in C over librabbitmq, without any work on the messages.
// Both end the process with a line on standard error when the broker does not do as asked.
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef struct relay_broker {
    const char *host;
    int port;
    const char *user;
    const char *password;
    const char *virtual_host;
} relay_broker;

typedef struct relay_figures {
    double seconds;    // from the first delivery to the last acknowledgement
    double microseconds;  // of CPU, user and system, in that time
} relay_figures;

typedef struct relay_route {
    const char *queue;
    const char *exchange;
    const char *routing_key;
    bool persistent;
    // The properties and headers of a fan-out: what they cost the broker.
    bool as_fan_out;
} relay_route;

// Consumes `count` messages from a queue, publishes each as it is with confirms, and acknowledges what is confirmed.
relay_figures relay_run(const relay_broker *broker, const relay_route *route, uint64_t count, unsigned prefetch);

// Publishes `count` messages of a widget at a steady rate and waits for what comes of each on another queue.
// `latencies` receives the milliseconds from the moment at which each was to be sent, by its number; negative for one
// that did not come within ten seconds of the last. Message n has `"value":0.n` in it, n of seven digits.
typedef struct relay_probe {
    const char *exchange;
    const char *routing_key;
    const char *result_queue;
    bool persistent;
    uint64_t count;
    double per_second;
} relay_probe;

void relay_measure(const relay_broker *broker, const relay_probe *probe, double *latencies);
