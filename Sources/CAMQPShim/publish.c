// Publishing. librabbitmq sends method, header and body of a message with a write each. On a plain socket we frame them
// ourselves into one buffer, so that a batch goes out with one write; the library's state does not know of frames that
// were sent, so nothing is taken from it.
#include "camqp_private.h"

#include <string.h>

static const char publishing[] = "publish";

// Fixed parts of payloads: class and method; class, weight, body size and property flags (AMQP 0-9-1 section 4.2.6.1).
enum { METHOD_START = 4, CONTENT_START = 2 + 2 + 8 + 2, MANDATORY = 1 };

typedef struct measured {
    uint16_t flags;
    size_t properties;
    size_t headers;
} measured;

static bool short_texts_fit(const camqp_publication *publication) {
    const camqp_properties *properties = &publication->properties;
    const size_t counts[] = {
        publication->exchange.count, publication->routing_key.count, properties->content_type.count,
        properties->content_encoding.count, properties->correlation_id.count, properties->reply_to.count,
        properties->message_id.count, properties->type.count, properties->user_id.count};
    for (size_t index = 0; index < sizeof counts / sizeof *counts; index++)
        if (counts[index] > CAMQP_SHORT_TEXT) return false;
    return true;
}

// Octets of a field value behind its kind; false for a kind that is not sent.
static bool measure_value(const camqp_header *header, size_t *size) {
    switch (header->kind) {
    case CAMQP_KIND_VOID: *size = 0; return true;
    case CAMQP_KIND_BOOLEAN: *size = 1; return true;
    case CAMQP_KIND_INTEGER:
    case CAMQP_KIND_REAL:
    case CAMQP_KIND_TIMESTAMP: *size = 8; return true;
    case CAMQP_KIND_STRING:
    case CAMQP_KIND_BYTES: *size = 4 + header->bytes.count; return true;
    default: return false;
    }
}

static bool measure(const camqp_properties *properties, measured *result) {
    *result = (measured){0};
    const struct { const camqp_bytes *text; uint16_t flag; } texts[] = {
        {&properties->content_type, AMQP_BASIC_CONTENT_TYPE_FLAG},
        {&properties->content_encoding, AMQP_BASIC_CONTENT_ENCODING_FLAG},
        {&properties->correlation_id, AMQP_BASIC_CORRELATION_ID_FLAG},
        {&properties->reply_to, AMQP_BASIC_REPLY_TO_FLAG}, {&properties->message_id, AMQP_BASIC_MESSAGE_ID_FLAG},
        {&properties->type, AMQP_BASIC_TYPE_FLAG}, {&properties->user_id, AMQP_BASIC_USER_ID_FLAG}};
    for (size_t index = 0; index < sizeof texts / sizeof *texts; index++) {
        if (!texts[index].text->start) continue;
        result->flags |= texts[index].flag;
        result->properties += 1 + texts[index].text->count;
    }
    if (properties->delivery_mode) {
        result->flags |= AMQP_BASIC_DELIVERY_MODE_FLAG;
        result->properties += 1;
    }
    if (properties->has_timestamp) {
        result->flags |= AMQP_BASIC_TIMESTAMP_FLAG;
        result->properties += 8;
    }
    if (!properties->header_count) return true;
    result->flags |= AMQP_BASIC_HEADERS_FLAG;
    for (size_t index = 0; index < properties->header_count; index++) {
        const camqp_header *header = &properties->headers[index];
        size_t value;
        if (header->name.count > CAMQP_SHORT_TEXT || !measure_value(header, &value)) return false;
        result->headers += 1 + header->name.count + 1 + value;
    }
    result->properties += 4 + result->headers;
    return true;
}

static uint8_t *put_header(uint8_t *at, const camqp_header *header) {
    at = camqp_put_short(at, header->name);
    switch (header->kind) {
    case CAMQP_KIND_BOOLEAN:
        return camqp_put8(camqp_put8(at, AMQP_FIELD_KIND_BOOLEAN), header->integer != 0);
    case CAMQP_KIND_INTEGER:
        return camqp_put64(camqp_put8(at, AMQP_FIELD_KIND_I64), (uint64_t)header->integer);
    case CAMQP_KIND_TIMESTAMP:
        return camqp_put64(camqp_put8(at, AMQP_FIELD_KIND_TIMESTAMP), (uint64_t)header->integer);
    case CAMQP_KIND_REAL: {
        uint64_t bits;
        memcpy(&bits, &header->real, sizeof bits);
        return camqp_put64(camqp_put8(at, AMQP_FIELD_KIND_F64), bits);
    }
    case CAMQP_KIND_STRING:
    case CAMQP_KIND_BYTES:
        at = camqp_put8(at, header->kind == CAMQP_KIND_STRING ? AMQP_FIELD_KIND_UTF8 : AMQP_FIELD_KIND_BYTES);
        return camqp_put_bytes(camqp_put32(at, (uint32_t)header->bytes.count), header->bytes);
    default:
        return camqp_put8(at, AMQP_FIELD_KIND_VOID);
    }
}

// The properties, in the order of their flags (AMQP 0-9-1 section 4.2.6.1).
static uint8_t *put_properties(uint8_t *at, const camqp_properties *properties, size_t headers) {
    if (properties->content_type.start) at = camqp_put_short(at, properties->content_type);
    if (properties->content_encoding.start) at = camqp_put_short(at, properties->content_encoding);
    if (properties->header_count) {
        at = camqp_put32(at, (uint32_t)headers);
        for (size_t index = 0; index < properties->header_count; index++)
            at = put_header(at, &properties->headers[index]);
    }
    if (properties->delivery_mode) at = camqp_put8(at, properties->delivery_mode);
    if (properties->correlation_id.start) at = camqp_put_short(at, properties->correlation_id);
    if (properties->reply_to.start) at = camqp_put_short(at, properties->reply_to);
    if (properties->message_id.start) at = camqp_put_short(at, properties->message_id);
    if (properties->has_timestamp) at = camqp_put64(at, properties->timestamp);
    if (properties->type.start) at = camqp_put_short(at, properties->type);
    if (properties->user_id.start) at = camqp_put_short(at, properties->user_id);
    return at;
}

static bool frame_it(
    camqp_connection *connection, amqp_channel_t channel, const camqp_publication *publication,
    const measured *size) {
    size_t before = connection->output.end - connection->output.start;
    uint8_t *at = camqp_put_frame(
        connection, AMQP_FRAME_METHOD, channel,
        (uint32_t)(METHOD_START + 2 + 1 + publication->exchange.count + 1 + publication->routing_key.count + 1));
    if (!at) return false;
    at = camqp_put32(at, AMQP_BASIC_PUBLISH_METHOD);
    at = camqp_put16(at, 0);  // reserved
    at = camqp_put_short(at, publication->exchange);
    at = camqp_put_short(at, publication->routing_key);
    camqp_put8(at, MANDATORY);

    at = camqp_put_frame(connection, AMQP_FRAME_HEADER, channel, (uint32_t)(CONTENT_START + size->properties));
    if (!at) goto undo;
    at = camqp_put16(at, AMQP_BASIC_CLASS);
    at = camqp_put16(at, 0);  // weight, unused
    at = camqp_put64(at, publication->body.count);
    at = camqp_put16(at, size->flags);
    put_properties(at, &publication->properties, size->headers);

    size_t longest = connection->frame_max - CAMQP_FRAME_OVERHEAD;
    for (size_t offset = 0; offset < publication->body.count;) {
        size_t count = publication->body.count - offset < longest ? publication->body.count - offset : longest;
        at = camqp_put_frame(connection, AMQP_FRAME_BODY, channel, (uint32_t)count);
        if (!at) goto undo;
        memcpy(at, publication->body.start + offset, count);
        offset += count;
    }
    return true;

undo:  // Half a message must not go out.
    connection->output.end = connection->output.start + before;
    return false;
}

static int hand_over(
    camqp_connection *connection, amqp_channel_t channel, const camqp_publication *publication, uint16_t flags) {
    const camqp_properties *from = &publication->properties;
    amqp_table_entry_t entries[CAMQP_HEADER_LIMIT];
    amqp_basic_properties_t properties = {
        ._flags = flags,
        .content_type = camqp_library_bytes(from->content_type),
        .content_encoding = camqp_library_bytes(from->content_encoding),
        .delivery_mode = from->delivery_mode,
        .correlation_id = camqp_library_bytes(from->correlation_id),
        .reply_to = camqp_library_bytes(from->reply_to),
        .message_id = camqp_library_bytes(from->message_id),
        .timestamp = from->timestamp,
        .type = camqp_library_bytes(from->type),
        .user_id = camqp_library_bytes(from->user_id)};
    camqp_status made =
        camqp_make_table(from->headers, from->header_count, entries, CAMQP_HEADER_LIMIT, &properties.headers);
    if (made != CAMQP_OK) return AMQP_STATUS_INVALID_PARAMETER;
    connection->sent = true;
    return amqp_basic_publish(
        connection->library, channel, camqp_library_bytes(publication->exchange),
        camqp_library_bytes(publication->routing_key), 1, 0, &properties, camqp_library_bytes(publication->body));
}

// Output that the socket has not taken: beyond this much, nothing is added.
static const size_t output_limit = 1024 * 1024;

camqp_status camqp_publish(
    camqp_connection *connection, unsigned channel, const camqp_publication *publication, uint64_t *number) {
    *number = 0;
    if (!connection->open || !connection->channel_open) return camqp_unusable(connection);
    if (channel >= connection->channel_count)
        return camqp_fail_text(connection, CAMQP_INVALID, publishing, "there is no such channel");
    amqp_channel_t channel_number = (amqp_channel_t)(connection->channel + channel);
    measured size;
    if (!short_texts_fit(publication))
        return camqp_fail_text(connection, CAMQP_INVALID, publishing, "a short text is over 255 octets");
    if (!measure(&publication->properties, &size) || publication->properties.header_count > CAMQP_HEADER_LIMIT)
        return camqp_fail_text(connection, CAMQP_INVALID, publishing, "a header is of a kind that is not sent");
    if (size.properties + CONTENT_START + CAMQP_FRAME_OVERHEAD > connection->frame_max)
        return camqp_fail_text(connection, CAMQP_INVALID, publishing, "the properties are larger than a frame");

    if (connection->tls) {
        if (!camqp_writable(connection, 0)) return CAMQP_WOULD_BLOCK;
        int sent = hand_over(connection, channel_number, publication, size.flags);
        if (sent != AMQP_STATUS_OK) return camqp_fail(connection, publishing, sent);
    } else {
        if (camqp_waiting(connection) > output_limit) {
            camqp_status status = camqp_flush(connection);
            if (status != CAMQP_OK && (status != CAMQP_WOULD_BLOCK || camqp_waiting(connection) > output_limit))
                return status;
        }
        if (!frame_it(connection, channel_number, publication, &size))
            return camqp_fail(connection, publishing, AMQP_STATUS_NO_MEMORY);
    }
    if (connection->confirms) *number = ++connection->published[channel];
    return CAMQP_OK;
}
