#include "camqp_private.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static camqp_status record(
    camqp_connection *connection, camqp_status status, int code, const char *operation, const char *text,
    size_t count) {
    camqp_error *error = &connection->error;
    if (count >= sizeof connection->error_text) count = sizeof connection->error_text - 1;
    memcpy(connection->error_text, text, count);
    connection->error_text[count] = 0;
    *error = (camqp_error){.status = status, .code = code, .operation = operation, .text = connection->error_text};
    return status;
}

// Why a call cannot begin.
camqp_status camqp_unusable(const camqp_connection *connection) {
    if (connection->open) return CAMQP_CHANNEL_CLOSED;
    return connection->error.status == CAMQP_CONNECTION_CLOSED ? CAMQP_CONNECTION_CLOSED : CAMQP_FAILED;
}

camqp_status camqp_fail_text(
    camqp_connection *connection, camqp_status status, const char *operation, const char *text) {
    if (status == CAMQP_FAILED) connection->open = connection->channel_open = false;
    return record(connection, status, 0, operation, text, strlen(text));
}

// A fault of the library. It may have closed the socket already, so the descriptor is not used again: its number can
// belong to somebody else by now.
camqp_status camqp_fail(camqp_connection *connection, const char *operation, int library_status) {
    int system = errno;
    char text[sizeof connection->error_text];
    const char *words = amqp_error_string2(library_status);
    const char *reason = camqp_tls_reason();
    if (library_status <= AMQP_STATUS_SSL_ERROR && *reason)
        snprintf(text, sizeof text, "%s: %s", words, reason);
    else if (library_status == AMQP_STATUS_SOCKET_ERROR && system && system != EAGAIN && system != EINPROGRESS)
        snprintf(text, sizeof text, "%s: %s", words, strerror(system));
    else
        snprintf(text, sizeof text, "%s", words);
    connection->open = connection->channel_open = false;
    return record(connection, CAMQP_FAILED, library_status, operation, text, strlen(text));
}

// The broker's words on closing a channel or the connection.
void camqp_note_close(
    camqp_connection *connection, camqp_status status, uint16_t code, amqp_bytes_t text, uint16_t class_id,
    uint16_t method_id) {
    const char *operation = connection->error.operation;
    record(connection, status, code, operation, text.bytes ? text.bytes : "", text.bytes ? text.len : 0);
    connection->error.class_id = class_id;
    connection->error.method_id = method_id;
}

// The one way from a reply of the library to a status.
camqp_status camqp_check(
    camqp_connection *connection, amqp_channel_t channel, const char *operation, amqp_rpc_reply_t reply) {
    switch (reply.reply_type) {
    case AMQP_RESPONSE_NORMAL:
        return CAMQP_OK;
    case AMQP_RESPONSE_SERVER_EXCEPTION:
        if (reply.reply.id == AMQP_CHANNEL_CLOSE_METHOD)
            return camqp_channel_was_closed(connection, channel, operation, reply.reply.decoded);
        if (reply.reply.id == AMQP_CONNECTION_CLOSE_METHOD)
            return camqp_connection_was_closed(connection, operation, reply.reply.decoded);
        return camqp_fail(connection, operation, AMQP_STATUS_WRONG_METHOD);
    case AMQP_RESPONSE_LIBRARY_EXCEPTION:
        return camqp_fail(connection, operation, reply.library_error);
    default:
        return camqp_fail(connection, operation, AMQP_STATUS_CONNECTION_CLOSED);
    }
}
