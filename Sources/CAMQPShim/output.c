#include "camqp_private.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

size_t camqp_waiting(const camqp_connection *connection) { return connection->output.end - connection->output.start; }

// Room for `count` octets behind what is waiting, counted as filled; NULL when there is no memory.
uint8_t *camqp_reserve(camqp_connection *connection, size_t count) {
    camqp_output *output = &connection->output;
    if (output->end + count > output->capacity) {
        size_t waiting = output->end - output->start;
        if (waiting && output->start) memmove(output->bytes, output->bytes + output->start, waiting);
        output->start = 0;
        output->end = waiting;
        if (waiting + count > output->capacity) {
            size_t capacity = output->capacity ? output->capacity : 65536;
            while (capacity < waiting + count) capacity *= 2;
            uint8_t *bytes = realloc(output->bytes, capacity);
            if (!bytes) return NULL;
            output->bytes = bytes;
            output->capacity = capacity;
        }
    }
    uint8_t *place = output->bytes + output->end;
    output->end += count;
    return place;
}

camqp_status camqp_flush(camqp_connection *connection) {
    camqp_output *output = &connection->output;
    if (!connection->open) return camqp_unusable(connection);
    while (output->start < output->end) {
        ssize_t sent = send(
            connection->socket, output->bytes + output->start, output->end - output->start,
            MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent > 0) {
            output->start += (size_t)sent;
            connection->sent = true;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            return CAMQP_WOULD_BLOCK;
        } else if (errno != EINTR) {
            return camqp_fail(connection, "send", AMQP_STATUS_SOCKET_ERROR);
        }
    }
    output->start = output->end = 0;
    return CAMQP_OK;
}

// Whether the socket takes a small frame.
bool camqp_writable(const camqp_connection *connection, int milliseconds) {
    struct pollfd wanted = {.fd = connection->socket, .events = POLLOUT};
    return poll(&wanted, 1, milliseconds) == 1;
}

// Sends everything, or gives the connection up when that lasts past `deadline`.
camqp_status camqp_flush_until(camqp_connection *connection, const char *operation, uint64_t deadline) {
    camqp_status status;
    while ((status = camqp_flush(connection)) == CAMQP_WOULD_BLOCK) {
        uint64_t now = camqp_now();
        if (now >= deadline) return camqp_fail(connection, operation, AMQP_STATUS_TIMEOUT);
        camqp_writable(connection, (int)(deadline - now));
    }
    return status;
}
