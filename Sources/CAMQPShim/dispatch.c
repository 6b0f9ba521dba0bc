// From frames to events. The library's own amqp_consume_message puts a frame it does not know back in front of its
// queue and finds it there again, for ever; here every frame is taken exactly once.
#include "camqp_private.h"


static const char receiving[] = "receive";

static const camqp_event *finish(camqp_connection *connection, camqp_event_kind kind) {
    connection->event.kind = kind;
    return &connection->event;
}

static const camqp_event *failed(camqp_connection *connection) {
    connection->event.code = 0;
    connection->event.text = (camqp_bytes){0};
    return finish(connection, CAMQP_EVENT_FAILED);
}

static const camqp_event *confirm(
    camqp_connection *connection, unsigned channel, uint64_t tag, bool multiple, bool positive) {
    connection->event.channel = channel;
    connection->event.tag = tag;
    connection->event.multiple = multiple;
    connection->event.positive = positive;
    return finish(connection, CAMQP_EVENT_CONFIRM);
}

static const camqp_event *closed(camqp_connection *connection, camqp_event_kind kind) {
    connection->event.code = (uint16_t)connection->error.code;
    connection->event.text = (camqp_bytes){
        .start = (const uint8_t *)connection->error.text, .count = __builtin_strlen(connection->error.text)};
    return finish(connection, kind);
}

// Channel 0 speaks for the whole connection.
static const camqp_event *take_connection_frame(camqp_connection *connection, const amqp_frame_t *frame) {
    if (frame->frame_type != AMQP_FRAME_METHOD) return NULL;
    void *method = frame->payload.method.decoded;
    switch (frame->payload.method.id) {
    case AMQP_CONNECTION_BLOCKED_METHOD:
        connection->event.text = camqp_own_bytes(((amqp_connection_blocked_t *)method)->reason);
        return finish(connection, CAMQP_EVENT_BLOCKED);
    case AMQP_CONNECTION_UNBLOCKED_METHOD:
        return finish(connection, CAMQP_EVENT_UNBLOCKED);
    case AMQP_CONNECTION_CLOSE_METHOD:
        camqp_connection_was_closed(connection, receiving, method);
        return closed(connection, CAMQP_EVENT_CONNECTION_CLOSED);
    default:
        return NULL;
    }
}

static const camqp_event *take_cancel(camqp_connection *connection, const amqp_basic_cancel_t *method) {
    connection->event.consumer_tag = camqp_own_bytes(method->consumer_tag);
    if (!method->nowait) {
        amqp_basic_cancel_ok_t answer = {.consumer_tag = method->consumer_tag};
        if (camqp_flush(connection) == CAMQP_OK && camqp_writable(connection, 0))
            amqp_send_method(connection->library, connection->channel, AMQP_BASIC_CANCEL_OK_METHOD, &answer);
    }
    return finish(connection, CAMQP_EVENT_CONSUMER_CANCELLED);
}

static const camqp_event *take_method(
    camqp_connection *connection, unsigned channel, const amqp_frame_t *frame) {
    camqp_content *content = &connection->contents[channel];
    void *method = frame->payload.method.decoded;
    content->state = CAMQP_CONTENT_NONE;
    switch (frame->payload.method.id) {
    case AMQP_BASIC_DELIVER_METHOD:
        camqp_start_delivery(connection, content, method);
        return NULL;
    case AMQP_BASIC_RETURN_METHOD:
        camqp_start_return(content, method);
        content->event.channel = channel;
        return NULL;
    case AMQP_BASIC_ACK_METHOD: {
        const amqp_basic_ack_t *ack = method;
        return confirm(connection, channel, ack->delivery_tag, ack->multiple != 0, true);
    }
    case AMQP_BASIC_NACK_METHOD: {
        const amqp_basic_nack_t *nack = method;
        return confirm(connection, channel, nack->delivery_tag, nack->multiple != 0, false);
    }
    case AMQP_BASIC_CANCEL_METHOD:
        return take_cancel(connection, method);
    case AMQP_CHANNEL_CLOSE_METHOD:
        if (camqp_channel_was_closed(connection, frame->channel, receiving, method) == CAMQP_FAILED)
            return failed(connection);
        return closed(connection, CAMQP_EVENT_CHANNEL_CLOSED);
    default:
        return NULL;
    }
}

static const camqp_event *take_frame(camqp_connection *connection, const amqp_frame_t *frame) {
    if (frame->channel == 0) return take_connection_frame(connection, frame);
    // Of a channel that is no more.
    unsigned channel = (unsigned)frame->channel - connection->channel;
    if (channel >= connection->channel_count || !connection->channel_open) return NULL;
    if (frame->frame_type == AMQP_FRAME_METHOD) return take_method(connection, channel, frame);
    const camqp_event *complete = NULL;
    if (!camqp_take_content(connection, &connection->contents[channel], frame, &complete)) {
        camqp_fail(connection, receiving, AMQP_STATUS_UNEXPECTED_STATE);
        return failed(connection);
    }
    return complete;
}

const camqp_event *camqp_next_event(camqp_connection *connection) {
    amqp_connection_state_t library = connection->library;
    while (connection->open) {
        if (camqp_is_deaf(connection)) {
            if (camqp_gave_up_deaf(connection)) break;
            return finish(connection, CAMQP_EVENT_NONE);
        }
        bool queued = amqp_frames_enqueued(library);
        // With frames in its queue the library would only look through all of them and release nothing.
        if (!queued && camqp_may_release(connection)) amqp_maybe_release_buffers(library);
        bool buffered = queued || amqp_data_in_buffer(library);
        if (!buffered && !connection->readable) return finish(connection, CAMQP_EVENT_NONE);

        static const struct timeval at_once = {0, 0};
        amqp_frame_t frame = {0};
        int result = amqp_simple_wait_frame_noblock(library, &frame, &at_once);
        // A read of a plain socket takes what is there. Whether TLS holds more cannot be seen, so it is asked again.
        if (result == AMQP_STATUS_TIMEOUT || (!buffered && !connection->tls)) connection->readable = false;
        if (result == AMQP_STATUS_TIMEOUT) return finish(connection, CAMQP_EVENT_NONE);
        if (result == AMQP_STATUS_BAD_AMQP_DATA) {
            const camqp_event *delivery = camqp_unreadable_delivery(connection, &frame);
            if (delivery) return delivery;
        }
        if (result != AMQP_STATUS_OK) {
            camqp_fail(connection, receiving, result);
            break;
        }
        const camqp_event *event = take_frame(connection, &frame);
        if (event) return event;
    }
    return failed(connection);
}
