// Messages whose headers the library refuses to decode: from 0.14 on, those that nest deeper than 100 levels. The library
// then reads nothing more of the connection, and the message would come back on the next one, for ever. But what it
// writes still arrives. So such a message is handed over without headers and body, and the connection, which hears
// nothing any more, is given up only when that message has been acknowledged.
#include "camqp_private.h"

#include <poll.h>
#include <string.h>
#include <sys/socket.h>

enum {
    // Milliseconds for the acknowledgement, and for the broker to take it before the socket is closed.
    PATIENCE = 30000,
    FAREWELL = 1000,
    // Property flags (AMQP 0-9-1 section 4.2.6.1): one bit a property from the highest on, the lowest for more flags.
    CONTENT_TYPE = 1 << 15,
    CONTENT_ENCODING = 1 << 14,
    HEADERS = 1 << 13
};

// The encoded properties without their headers; false when they are too short for what they say.
static bool drop_headers(amqp_bytes_t *properties) {
    uint8_t *bytes = properties->bytes;
    size_t at = 2;
    if (properties->len < at) return false;
    uint16_t flags = (uint16_t)(bytes[0] << 8 | bytes[1]);
    if (!(flags & HEADERS) || flags & 1) return false;
    for (int flag = CONTENT_TYPE; flag >= CONTENT_ENCODING; flag >>= 1) {
        if (!(flags & flag)) continue;
        if (at >= properties->len) return false;
        at += 1 + (size_t)bytes[at];
    }
    if (at + 4 > properties->len) return false;
    uint32_t size;
    memcpy(&size, bytes + at, sizeof size);
    size_t end = at + 4 + be32toh(size);
    if (end > properties->len) return false;
    memmove(bytes + at, bytes + end, properties->len - end);
    properties->len -= end - at;
    bytes[0] = (uint8_t)((flags & ~HEADERS) >> 8);
    return true;
}

// Makes a delivery of a frame that could not be decoded; NULL when it is something else than the header of one.
const camqp_event *camqp_unreadable_delivery(camqp_connection *connection, const amqp_frame_t *frame) {
    camqp_content *content = &connection->contents[0];
    if (frame->frame_type != AMQP_FRAME_HEADER || frame->channel != connection->channel ||
        frame->payload.properties.class_id != AMQP_BASIC_CLASS || content->state != CAMQP_CONTENT_HEADER ||
        content->event.kind != CAMQP_EVENT_DELIVERY)
        return NULL;
    amqp_bytes_t encoded = frame->payload.properties.raw;
    void *properties;
    if (!drop_headers(&encoded)) return NULL;
    amqp_pool_t *pool = &connection->unreadable_pool;
    init_amqp_pool(pool, 4096);
    connection->has_unreadable_pool = true;
    if (amqp_decode_properties(AMQP_BASIC_CLASS, pool, encoded, &properties) < 0) return NULL;
    camqp_take_properties(content, properties);
    camqp_event *event = &content->event;
    event->unreadable = true;
    event->body = (camqp_bytes){.start = (const uint8_t *)"", .count = 0};
    event->dropped = frame->payload.properties.body_size;
    content->state = CAMQP_CONTENT_NONE;
    connection->deaf_tag = event->tag;
    connection->deaf_until = camqp_now() + PATIENCE;
    return event;
}

bool camqp_is_deaf(const camqp_connection *connection) { return connection->deaf_tag != 0; }

// The broker has to take what was sent before it sees the end; what it sends meanwhile is of no use to us.
static void say_farewell(int socket) {
    uint64_t deadline = camqp_now() + FAREWELL;
    uint8_t dropped[65536];
    shutdown(socket, SHUT_WR);
    for (uint64_t now; (now = camqp_now()) < deadline;) {
        struct pollfd wanted = {.fd = socket, .events = POLLIN};
        if (poll(&wanted, 1, (int)(deadline - now)) != 1 || recv(socket, dropped, sizeof dropped, 0) <= 0) return;
    }
}

// Gives a connection up that hears nothing, when its reason to live is gone: `acknowledged` was sent, or time is over.
bool camqp_gave_up_deaf(camqp_connection *connection) {
    bool acknowledged = connection->acknowledged >= connection->deaf_tag && !camqp_waiting(connection);
    if (!acknowledged && camqp_now() < connection->deaf_until) return false;
    if (acknowledged) say_farewell(connection->socket);
    camqp_fail_text(
        connection, CAMQP_FAILED, "receive", "the headers of a message nest deeper than librabbitmq reads");
    return true;
}
