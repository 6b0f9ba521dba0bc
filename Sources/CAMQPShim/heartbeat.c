// Heartbeats (AMQP 0-9-1 section 4.2.7).
//
// librabbitmq sends its heartbeat from inside any wait for a frame, straight into the socket and blocking. That would
// cut a frame of ours that is half sent, and hang while an alarm keeps the broker from reading. So the library's own
// clock runs only while it waits for an answer, when our output is empty; the rest of the time heartbeats are ours.
#include "camqp_private.h"


static void tune(camqp_connection *connection, int seconds) {
    amqp_connection_state_t library = connection->library;
    // The library aborts when told in the middle of a frame; then its clock stays as it is, for one short call.
    if (amqp_release_buffers_ok(library))
        amqp_tune_connection(
            library, amqp_get_channel_max(library), amqp_get_frame_max(library), seconds);
}

// Before a call that waits for the broker's answer.
void camqp_lend_heartbeat(camqp_connection *connection) {
    if (connection->heartbeat) tune(connection, (int)(connection->heartbeat / 1000));
}

// After such a call. A frame has just ended then, so the library always takes it.
void camqp_take_heartbeat(camqp_connection *connection) {
    if (!connection->heartbeat || !connection->open) return;
    tune(connection, 0);
    connection->last_sent = connection->last_heard = camqp_now();
    connection->sent = false;
}

// Sends one when nothing was sent for half the interval, as RabbitMQ's own clients do; gives up on a peer that has
// been silent for two.
void camqp_send_heartbeat(camqp_connection *connection, uint64_t now) {
    if (!connection->heartbeat || !connection->open) return;
    if (now > connection->last_heard && now - connection->last_heard > 2 * connection->heartbeat) {
        camqp_fail(connection, "wait", AMQP_STATUS_HEARTBEAT_TIMEOUT);
        return;
    }
    if (connection->sent) {
        connection->sent = false;
        connection->last_sent = now;
        return;
    }
    // What the socket has not taken yet would go before it: then a heartbeat helps nobody.
    if (now - connection->last_sent < connection->heartbeat / 2 || camqp_waiting(connection)) return;
    connection->last_sent = now;
    if (connection->tls) {
        if (!camqp_writable(connection, 0)) return;
        amqp_frame_t frame = {.frame_type = AMQP_FRAME_HEARTBEAT, .channel = 0};
        int sent = amqp_send_frame(connection->library, &frame);
        if (sent != AMQP_STATUS_OK) camqp_fail(connection, "send heartbeat", sent);
    } else if (camqp_put_frame(connection, AMQP_FRAME_HEARTBEAT, 0, 0)) {
        camqp_flush(connection);
        connection->sent = false;
    }
}

// `milliseconds` cut to when the next heartbeat is due; -1 is for ever.
int camqp_heartbeat_wait(const camqp_connection *connection, uint64_t now, int milliseconds) {
    if (!connection->heartbeat) return milliseconds;
    uint64_t due = connection->last_sent + connection->heartbeat / 2;
    uint64_t left = due > now ? due - now : 0;
    // A quarter is often enough to notice a silent peer, and keeps a due heartbeat that could not go out from spinning.
    if (left > connection->heartbeat / 4 || !left) left = connection->heartbeat / 4;
    return milliseconds < 0 || left < (uint64_t)milliseconds ? (int)left : milliseconds;
}
