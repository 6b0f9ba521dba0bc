// Putting a message together from its frames (AMQP 0-9-1 section 4.2.6).
#include "camqp_private.h"

#include <stdlib.h>
#include <string.h>

static void start(camqp_content *content, camqp_event_kind kind, uint64_t limit) {
    content->state = CAMQP_CONTENT_HEADER;
    content->event.kind = kind;
    content->event.unreadable = false;
    content->kept = false;
    content->received = 0;
    content->limit = limit;
    content->body_count = 0;
}

void camqp_start_delivery(
    const camqp_connection *connection, camqp_content *content, const amqp_basic_deliver_t *method) {
    camqp_event *event = &content->event;
    event->tag = method->delivery_tag;
    event->redelivered = method->redelivered != 0;
    event->exchange = camqp_own_bytes(method->exchange);
    event->routing_key = camqp_own_bytes(method->routing_key);
    event->consumer_tag = camqp_own_bytes(method->consumer_tag);
    event->text = (camqp_bytes){0};
    start(content, CAMQP_EVENT_DELIVERY, connection->numbers[CAMQP_NUMBER_MAXIMUM_BODY]);
}

// The body of a returned message is of no interest: we sent it.
void camqp_start_return(camqp_content *content, const amqp_basic_return_t *method) {
    camqp_event *event = &content->event;
    event->code = method->reply_code;
    event->text = camqp_own_bytes(method->reply_text);
    event->exchange = camqp_own_bytes(method->exchange);
    event->routing_key = camqp_own_bytes(method->routing_key);
    event->consumer_tag = (camqp_bytes){0};
    start(content, CAMQP_EVENT_RETURNED, 0);
}

void camqp_drop_contents(camqp_connection *connection) {
    for (unsigned index = 0; index < connection->channel_count; index++)
        connection->contents[index].state = CAMQP_CONTENT_NONE;
}

// The library's memory may be used again: nothing of ours points into it.
bool camqp_may_release(const camqp_connection *connection) {
    for (unsigned index = 0; index < connection->channel_count; index++) {
        const camqp_content *content = &connection->contents[index];
        if (content->state != CAMQP_CONTENT_NONE && !content->kept) return false;
    }
    return true;
}

static camqp_bytes when(const amqp_basic_properties_t *properties, amqp_flags_t flag, amqp_bytes_t bytes) {
    return properties->_flags & flag ? camqp_own_bytes(bytes) : (camqp_bytes){0};
}

void camqp_take_properties(camqp_content *content, const amqp_basic_properties_t *from) {
    camqp_properties *to = &content->event.properties;
    to->content_type = when(from, AMQP_BASIC_CONTENT_TYPE_FLAG, from->content_type);
    to->content_encoding = when(from, AMQP_BASIC_CONTENT_ENCODING_FLAG, from->content_encoding);
    to->correlation_id = when(from, AMQP_BASIC_CORRELATION_ID_FLAG, from->correlation_id);
    to->reply_to = when(from, AMQP_BASIC_REPLY_TO_FLAG, from->reply_to);
    to->message_id = when(from, AMQP_BASIC_MESSAGE_ID_FLAG, from->message_id);
    to->type = when(from, AMQP_BASIC_TYPE_FLAG, from->type);
    to->user_id = when(from, AMQP_BASIC_USER_ID_FLAG, from->user_id);
    to->has_timestamp = (from->_flags & AMQP_BASIC_TIMESTAMP_FLAG) != 0;
    to->timestamp = to->has_timestamp ? from->timestamp : 0;
    to->delivery_mode = from->_flags & AMQP_BASIC_DELIVERY_MODE_FLAG ? from->delivery_mode : 0;
    to->headers = content->headers;
    to->header_count = from->_flags & AMQP_BASIC_HEADERS_FLAG
        ? camqp_flatten(&from->headers, content->headers, CAMQP_HEADER_LIMIT) : 0;
}

static bool grow_body(camqp_content *content, size_t wanted) {
    if (wanted <= content->body_capacity) return true;
    uint8_t *body = realloc(content->body, wanted);
    if (!body) return false;
    content->body = body;
    content->body_capacity = wanted;
    return true;
}

static bool take_header(const camqp_connection *connection, camqp_content *content, const amqp_frame_t *frame) {
    if (frame->payload.properties.class_id != AMQP_BASIC_CLASS) return false;
    camqp_take_properties(content, frame->payload.properties.decoded);
    content->size = frame->payload.properties.body_size;
    content->state = CAMQP_CONTENT_BODY;
    if (content->size + CAMQP_FRAME_OVERHEAD <= connection->frame_max) return true;
    // A body of several frames.
    uint64_t wanted = content->size < content->limit ? content->size : content->limit;
    return camqp_keep(content) && grow_body(content, wanted);
}

static bool take_body(camqp_content *content, amqp_bytes_t part) {
    camqp_event *event = &content->event;
    if (part.len > content->size - content->received) return false;
    bool whole = part.len == content->size;
    content->received += part.len;
    uint64_t room = content->limit - content->body_count;
    size_t kept = part.len < room ? part.len : (size_t)room;
    if (whole) {
        event->body = (camqp_bytes){.start = part.bytes, .count = kept};
    } else {
        if (!grow_body(content, content->body_count + kept)) return false;
        if (kept) memcpy(content->body + content->body_count, part.bytes, kept);
        event->body = (camqp_bytes){.start = content->body, .count = content->body_count + kept};
        // Its frame may be a short one of a short body: what the event points at must outlast the next frame.
        if (content->received < content->size && !camqp_keep(content)) return false;
    }
    content->body_count += kept;
    return true;
}

// Takes a frame of the message under way; false when it does not belong there, or there is no memory.
bool camqp_take_content(
    const camqp_connection *connection, camqp_content *content, const amqp_frame_t *frame,
    const camqp_event **complete) {
    camqp_event *event = &content->event;
    bool taken = false;
    if (frame->frame_type == AMQP_FRAME_HEADER && content->state == CAMQP_CONTENT_HEADER) {
        event->body = (camqp_bytes){.start = (const uint8_t *)"", .count = 0};
        taken = take_header(connection, content, frame);
    } else if (frame->frame_type == AMQP_FRAME_BODY && content->state == CAMQP_CONTENT_BODY) {
        taken = take_body(content, frame->payload.body_fragment);
    }
    if (!taken || content->received < content->size) return taken;
    event->dropped = content->size - content->body_count;
    content->state = CAMQP_CONTENT_NONE;
    *complete = event;
    return true;
}
