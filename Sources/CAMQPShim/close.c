#include "camqp_private.h"

// How long a farewell may take.
static const uint64_t farewell = 1000;

static void answer(camqp_connection *connection, amqp_channel_t channel, amqp_method_number_t method) {
    amqp_channel_close_ok_t nothing = {0};
    // The answer must not land inside a frame that is half sent.
    if (camqp_flush_until(connection, connection->error.operation, camqp_now() + farewell) == CAMQP_OK &&
        camqp_writable(connection, 0))
        amqp_send_method(connection->library, channel, method, &nothing);
}

// AMQP 0-9-1 section 1.5.2.5: after channel.close nothing but close-ok is sent on that channel.
camqp_status camqp_channel_was_closed(
    camqp_connection *connection, amqp_channel_t channel, const char *operation, amqp_channel_close_t *method) {
    connection->channel_open = false;
    connection->error.operation = operation;
    camqp_drop_contents(connection);
    answer(connection, channel, AMQP_CHANNEL_CLOSE_OK_METHOD);
    if (!connection->open) return CAMQP_FAILED;
    camqp_note_close(
        connection, CAMQP_CHANNEL_CLOSED, method->reply_code, method->reply_text, method->class_id, method->method_id);
    return CAMQP_CHANNEL_CLOSED;
}

// AMQP 0-9-1 section 1.4.2.9, the same for the connection.
camqp_status camqp_connection_was_closed(
    camqp_connection *connection, const char *operation, amqp_connection_close_t *method) {
    connection->error.operation = operation;
    camqp_drop_contents(connection);
    answer(connection, 0, AMQP_CONNECTION_CLOSE_OK_METHOD);
    connection->open = connection->channel_open = false;
    camqp_note_close(
        connection, CAMQP_CONNECTION_CLOSED, method->reply_code, method->reply_text, method->class_id,
        method->method_id);
    return CAMQP_CONNECTION_CLOSED;
}

camqp_status camqp_close(camqp_connection *connection, int milliseconds) {
    if (!connection->open) return CAMQP_OK;
    uint64_t deadline = camqp_now() + (milliseconds > 0 ? (uint64_t)milliseconds : 0);
    camqp_status status = camqp_flush_until(connection, "close", deadline);
    if (status == CAMQP_OK) {
        uint64_t now = camqp_now();
        struct timeval left = camqp_interval(deadline > now ? deadline - now : 0);
        amqp_set_rpc_timeout(connection->library, &left);
        status = camqp_check(
            connection, 0, "close", amqp_connection_close(connection->library, AMQP_REPLY_SUCCESS));
    }
    connection->open = connection->channel_open = false;
    return status;
}
