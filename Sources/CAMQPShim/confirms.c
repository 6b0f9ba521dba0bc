#include "camqp_private.h"

static camqp_status open_another(camqp_connection *connection) {
    static const char operation[] = "open channel";
    amqp_channel_t channel = (amqp_channel_t)(connection->channel + connection->channel_count);
    camqp_status status = camqp_begin_call(connection, operation);
    if (status != CAMQP_OK) return status;
    amqp_channel_open(connection->library, channel);
    status = camqp_end_call_on(connection, channel, operation);
    if (status == CAMQP_OK) connection->channel_count++;
    return status;
}

static camqp_status select_on(camqp_connection *connection, unsigned index) {
    static const char operation[] = "select confirms";
    amqp_channel_t channel = (amqp_channel_t)(connection->channel + index);
    camqp_status status = camqp_begin_call(connection, operation);
    if (status != CAMQP_OK) return status;
    amqp_confirm_select(connection->library, channel);
    connection->published[index] = 0;
    return camqp_end_call_on(connection, channel, operation);
}

camqp_status camqp_select_confirms(camqp_connection *connection, unsigned *count) {
    // The library gives no 0, which would mean that there is no limit, but the largest number.
    unsigned allowed = (unsigned)amqp_get_channel_max(connection->library) + 1 - connection->channel;
    unsigned wanted = *count < CAMQP_CHANNEL_LIMIT ? *count : CAMQP_CHANNEL_LIMIT;
    if (wanted > allowed) wanted = allowed;
    camqp_status status = CAMQP_OK;
    while (status == CAMQP_OK && connection->channel_count < wanted) status = open_another(connection);
    for (unsigned index = 0; status == CAMQP_OK && index < connection->channel_count; index++)
        status = select_on(connection, index);
    connection->confirms = status == CAMQP_OK;
    *count = connection->channel_count;
    return status;
}
