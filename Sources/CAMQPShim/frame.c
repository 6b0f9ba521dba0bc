#include "camqp_private.h"

// Starts a frame in the output and closes it with its end mark; the payload's place is returned, NULL when there is no
// memory (AMQP 0-9-1 section 4.2.3).
uint8_t *camqp_put_frame(camqp_connection *connection, uint8_t type, amqp_channel_t channel, uint32_t payload) {
    uint8_t *at = camqp_reserve(connection, (size_t)payload + CAMQP_FRAME_OVERHEAD);
    if (!at) return NULL;
    at = camqp_put8(at, type);
    at = camqp_put16(at, channel);
    at = camqp_put32(at, payload);
    at[payload] = AMQP_FRAME_END;
    return at;
}
