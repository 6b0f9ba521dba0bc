#include "connect.h"

#include <poll.h>
#include <stdlib.h>
#include <sys/resource.h>

// So many deliveries between looks at the confirms, and so many confirmed ones an acknowledgement.
enum { BATCH = 128, STRIDE = 64 };

// Which publish numbers are confirmed: all up to `low`, and those marked beyond it.
typedef struct confirms {
    uint64_t low;
    uint64_t mask;
    bool *marked;
} confirms;

static void note(confirms *confirms, uint64_t number, bool multiple) {
    while (multiple && confirms->low < number) confirms->marked[++confirms->low & confirms->mask] = false;
    if (number > confirms->low) confirms->marked[number & confirms->mask] = true;
    while (confirms->marked[(confirms->low + 1) & confirms->mask])
        confirms->marked[++confirms->low & confirms->mask] = false;
}

// Takes the confirms that have come; whether there were any.
static bool take(confirms *confirms, amqp_connection_state_t connection) {
    static const struct timeval at_once = {0, 0};
    bool found = false;
    while (true) {
        amqp_frame_t frame;
        int status = amqp_simple_wait_frame_noblock(connection, &frame, &at_once);
        if (status == AMQP_STATUS_TIMEOUT) break;
        if (status != AMQP_STATUS_OK || frame.frame_type != AMQP_FRAME_METHOD ||
            frame.payload.method.id != AMQP_BASIC_ACK_METHOD)
            relay_end("have every message confirmed");
        const amqp_basic_ack_t *ack = frame.payload.method.decoded;
        note(confirms, ack->delivery_tag, ack->multiple);
        found = true;
    }
    amqp_maybe_release_buffers(connection);
    return found;
}

static double cpu_microseconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 +
        (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static amqp_table_entry_t text(const char *name, const char *text) {
    return (amqp_table_entry_t){
        .key = amqp_cstring_bytes(name),
        .value = {.kind = AMQP_FIELD_KIND_UTF8, .value.bytes = amqp_cstring_bytes(text)}};
}

relay_figures relay_run(const relay_broker *broker, const relay_route *route, uint64_t count, unsigned prefetch) {
    amqp_connection_state_t in = relay_connect(broker), out = relay_connect(broker);
    amqp_confirm_select(out, 1);
    relay_check(out, "select confirms");
    amqp_basic_qos(in, 1, 0, (uint16_t)prefetch, 0);
    relay_check(in, "set its prefetch");
    amqp_basic_consume(in, 1, amqp_cstring_bytes(route->queue), amqp_empty_bytes, 0, 0, 0, amqp_empty_table);
    relay_check(in, "consume");

    amqp_basic_properties_t properties = {
        ._flags = AMQP_BASIC_CONTENT_TYPE_FLAG | AMQP_BASIC_DELIVERY_MODE_FLAG,
        .content_type = amqp_cstring_bytes("application/json"),
        .delivery_mode = route->persistent ? 2 : 1};
    amqp_table_entry_t headers[] = {
        text("account", "default"), text("slug", "rollout-000042"), text("template", "progress"),
        {.key = amqp_cstring_bytes("revision"), .value = {.kind = AMQP_FIELD_KIND_I64, .value.i64 = 1000}}};
    if (route->as_fan_out) {
        properties._flags |= AMQP_BASIC_HEADERS_FLAG | AMQP_BASIC_TYPE_FLAG | AMQP_BASIC_MESSAGE_ID_FLAG |
            AMQP_BASIC_TIMESTAMP_FLAG;
        properties.headers = (amqp_table_t){.num_entries = 4, .entries = headers};
        properties.type = amqp_cstring_bytes("widget.accepted");
        properties.message_id = amqp_cstring_bytes("default/rollout-000042@1000");
        properties.timestamp = 1796040000;
    }
    confirms confirms = {.mask = 1};
    while (confirms.mask < 4 * (uint64_t)prefetch) confirms.mask = confirms.mask * 2 + 1;
    confirms.marked = calloc(confirms.mask + 1, sizeof *confirms.marked);
    if (!confirms.marked) relay_end("have memory");
    struct pollfd sockets[2] = {
        {.fd = amqp_get_sockfd(in), .events = POLLIN}, {.fd = amqp_get_sockfd(out), .events = POLLIN}};
    uint64_t got = 0, acknowledged = 0, start = 0;
    double cpu = 0;
    while (acknowledged < count) {
        static const struct timeval at_once = {0, 0};
        unsigned batch = 0;
        // The publish number equals the delivery tag: each delivery is published once, in order.
        for (; got < count && batch < BATCH; batch++, got++) {
            amqp_envelope_t envelope;
            if (amqp_consume_message(in, &envelope, &at_once, 0).reply_type != AMQP_RESPONSE_NORMAL) break;
            if (!got) {
                start = relay_now();
                cpu = cpu_microseconds();
            }
            if (amqp_basic_publish(
                    out, 1, amqp_cstring_bytes(route->exchange), amqp_cstring_bytes(route->routing_key),
                    route->as_fan_out, 0, &properties, envelope.message.body) != AMQP_STATUS_OK)
                relay_end("publish");
            amqp_destroy_envelope(&envelope);
        }
        amqp_maybe_release_buffers(in);
        bool found = take(&confirms, out);
        if (confirms.low - acknowledged >= STRIDE || (confirms.low > acknowledged && !batch && !found) ||
            confirms.low == count) {
            if (amqp_basic_ack(in, 1, confirms.low, 1) != AMQP_STATUS_OK) relay_end("acknowledge");
            acknowledged = confirms.low;
        }
        if (!batch && !found && acknowledged < count) poll(sockets, 2, 1000);
    }
    relay_figures figures = {
        .seconds = (double)(relay_now() - start) / 1e9, .microseconds = cpu_microseconds() - cpu};
    free(confirms.marked);
    // A quorum queue takes acknowledgements a moment after its channel has.
    poll(NULL, 0, 300);
    amqp_connection_close(in, AMQP_REPLY_SUCCESS);
    amqp_connection_close(out, AMQP_REPLY_SUCCESS);
    amqp_destroy_connection(in);
    amqp_destroy_connection(out);
    return figures;
}
