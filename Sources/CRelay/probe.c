#define _GNU_SOURCE
#include "connect.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char mark[] = "\"value\":0.";

static void send_one(amqp_connection_state_t connection, const relay_probe *probe, uint64_t number) {
    char body[256];
    int length = snprintf(body, sizeof body, "{\"content\":{\"template\":\"progress\",%s%07lu}}", mark, (unsigned long)number);
    amqp_basic_properties_t properties = {
        ._flags = AMQP_BASIC_CONTENT_TYPE_FLAG | AMQP_BASIC_DELIVERY_MODE_FLAG,
        .content_type = amqp_cstring_bytes("application/json"),
        .delivery_mode = probe->persistent ? 2 : 1};
    if (amqp_basic_publish(
            connection, 1, amqp_cstring_bytes(probe->exchange), amqp_cstring_bytes(probe->routing_key), 0, 0,
            &properties, (amqp_bytes_t){.len = (size_t)length, .bytes = body}) != AMQP_STATUS_OK)
        relay_end("publish");
}

// The number in a body; `count` when there is none.
static uint64_t number_in(amqp_bytes_t body, uint64_t count) {
    const char *place = memmem(body.bytes, body.len, mark, sizeof mark - 1);
    if (!place) return count;
    place += sizeof mark - 1;
    uint64_t number = 0;
    for (int digit = 0; digit < 7 && place + digit < (const char *)body.bytes + body.len; digit++)
        number = number * 10 + (uint64_t)(place[digit] - '0');
    return number;
}

void relay_measure(const relay_broker *broker, const relay_probe *probe, double *latencies) {
    amqp_connection_state_t out = relay_connect(broker), in = relay_connect(broker);
    amqp_basic_consume(in, 1, amqp_cstring_bytes(probe->result_queue), amqp_empty_bytes, 0, 1, 0, amqp_empty_table);
    relay_check(in, "consume results");
    for (uint64_t number = 0; number < probe->count; number++) latencies[number] = -1;

    double interval = 1e9 / probe->per_second;
    uint64_t start = relay_now() + 10000000, sent = 0, got = 0, end = 0;
    struct pollfd socket = {.fd = amqp_get_sockfd(in), .events = POLLIN};
    while (got < probe->count) {
        static const struct timeval at_once = {0, 0};
        uint64_t now = relay_now();
        while (sent < probe->count && start + (uint64_t)(interval * (double)sent) <= now) send_one(out, probe, sent++);
        if (sent == probe->count && !end) end = now + 10000000000;
        if (end && now > end) break;
        amqp_envelope_t envelope;
        amqp_maybe_release_buffers(in);
        if (amqp_consume_message(in, &envelope, &at_once, 0).reply_type == AMQP_RESPONSE_NORMAL) {
            uint64_t number = number_in(envelope.message.body, probe->count);
            if (number < probe->count && latencies[number] < 0) {
                uint64_t due = start + (uint64_t)(interval * (double)number);
                latencies[number] = (double)(relay_now() - due) / 1e6;
                got++;
            }
            amqp_destroy_envelope(&envelope);
            continue;
        }
        uint64_t next = start + (uint64_t)(interval * (double)sent);
        uint64_t rest = sent == probe->count ? 10000000 : next > relay_now() ? next - relay_now() : 0;
        struct timespec patience = {.tv_sec = (time_t)(rest / 1000000000), .tv_nsec = (long)(rest % 1000000000)};
        ppoll(&socket, 1, &patience, NULL);
    }
    amqp_connection_close(in, AMQP_REPLY_SUCCESS);
    amqp_connection_close(out, AMQP_REPLY_SUCCESS);
    amqp_destroy_connection(in);
    amqp_destroy_connection(out);
}
