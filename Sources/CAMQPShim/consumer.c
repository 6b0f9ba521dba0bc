#include "camqp_private.h"

#include <string.h>

camqp_status camqp_set_prefetch(camqp_connection *connection, uint16_t count) {
    static const char operation[] = "set prefetch";
    camqp_status status = camqp_begin_call(connection, operation);
    if (status != CAMQP_OK) return status;
    amqp_basic_qos(connection->library, connection->channel, 0, count, 0);
    return camqp_end_call(connection, operation);
}

camqp_status camqp_consume(camqp_connection *connection, const char *queue, const char *consumer_tag, bool exclusive) {
    static const char operation[] = "consume";
    if (strlen(queue) > CAMQP_SHORT_TEXT || strlen(consumer_tag) > CAMQP_SHORT_TEXT)
        return camqp_fail_text(connection, CAMQP_INVALID, operation, "a name is over 255 octets");
    camqp_status status = camqp_begin_call(connection, operation);
    if (status != CAMQP_OK) return status;
    amqp_basic_consume(
        connection->library, connection->channel, amqp_cstring_bytes(queue), amqp_cstring_bytes(consumer_tag), 0, 0,
        exclusive, amqp_empty_table);
    return camqp_end_call(connection, operation);
}

camqp_status camqp_cancel(camqp_connection *connection, const char *consumer_tag) {
    static const char operation[] = "cancel consumer";
    camqp_status status = camqp_begin_call(connection, operation);
    if (status != CAMQP_OK) return status;
    amqp_basic_cancel(connection->library, connection->channel, amqp_cstring_bytes(consumer_tag));
    return camqp_end_call(connection, operation);
}

// On a plain socket answers are framed like publications, so that many go out in one write.
camqp_status camqp_acknowledge(camqp_connection *connection, uint64_t tag, bool multiple) {
    static const char operation[] = "acknowledge";
    if (!connection->open || !connection->channel_open) return camqp_unusable(connection);
    if (multiple || tag == connection->deaf_tag) connection->acknowledged = tag;
    if (connection->tls) {
        int sent = amqp_basic_ack(connection->library, connection->channel, tag, multiple);
        connection->sent = true;
        return sent == AMQP_STATUS_OK ? CAMQP_OK : camqp_fail(connection, operation, sent);
    }
    uint8_t *at = camqp_put_frame(connection, AMQP_FRAME_METHOD, connection->channel, 4 + 8 + 1);
    if (!at) return camqp_fail(connection, operation, AMQP_STATUS_NO_MEMORY);
    at = camqp_put32(at, AMQP_BASIC_ACK_METHOD);
    at = camqp_put64(at, tag);
    camqp_put8(at, multiple);
    return CAMQP_OK;
}

camqp_status camqp_reject(camqp_connection *connection, uint64_t tag, bool multiple, bool requeue) {
    static const char operation[] = "reject";
    if (!connection->open || !connection->channel_open) return camqp_unusable(connection);
    if (connection->tls) {
        int sent = amqp_basic_nack(connection->library, connection->channel, tag, multiple, requeue);
        connection->sent = true;
        return sent == AMQP_STATUS_OK ? CAMQP_OK : camqp_fail(connection, operation, sent);
    }
    uint8_t *at = camqp_put_frame(connection, AMQP_FRAME_METHOD, connection->channel, 4 + 8 + 1);
    if (!at) return camqp_fail(connection, operation, AMQP_STATUS_NO_MEMORY);
    at = camqp_put32(at, AMQP_BASIC_NACK_METHOD);
    at = camqp_put64(at, tag);
    camqp_put8(at, (uint8_t)((multiple ? 1 : 0) | (requeue ? 2 : 0)));
    return CAMQP_OK;
}
