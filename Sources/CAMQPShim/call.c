#include "camqp_private.h"

// librabbitmq sends a request by itself and blocks for the answer, while it queues frames that are none. Our own
// output has to be out before that.
camqp_status camqp_begin_call(camqp_connection *connection, const char *operation) {
    if (!connection->open || !connection->channel_open) return camqp_unusable(connection);
    uint64_t deadline = camqp_now() + connection->numbers[CAMQP_NUMBER_CALL_TIMEOUT];
    camqp_status status = camqp_flush_until(connection, operation, deadline);
    if (status != CAMQP_OK) return status;
    if (!camqp_writable(connection, (int)connection->numbers[CAMQP_NUMBER_CALL_TIMEOUT]))
        return camqp_fail(connection, operation, AMQP_STATUS_TIMEOUT);
    camqp_lend_heartbeat(connection);
    return CAMQP_OK;
}

camqp_status camqp_end_call_on(camqp_connection *connection, amqp_channel_t channel, const char *operation) {
    camqp_status status = camqp_check(connection, channel, operation, amqp_get_rpc_reply(connection->library));
    connection->readable = true;
    camqp_take_heartbeat(connection);
    return status;
}

camqp_status camqp_end_call(camqp_connection *connection, const char *operation) {
    return camqp_end_call_on(connection, connection->channel, operation);
}
