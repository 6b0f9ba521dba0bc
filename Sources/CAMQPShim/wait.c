#include "camqp_private.h"

#include <poll.h>
#include <unistd.h>

unsigned camqp_wait(camqp_connection *connection, int wake, int milliseconds) {
    if (!connection->open) return CAMQP_READY_INPUT;
    bool deaf = camqp_is_deaf(connection);
    if (!deaf && (amqp_frames_enqueued(connection->library) || amqp_data_in_buffer(connection->library) ||
                  (connection->tls && connection->readable)))
        return CAMQP_READY_INPUT;
    // Whether it can be given up is seen once a second.
    if (deaf && (milliseconds < 0 || milliseconds > 1000)) milliseconds = 1000;

    uint64_t now = connection->heartbeat ? camqp_now() : 0;
    struct pollfd wanted[2] = {
        {.fd = connection->socket, .events = (short)((deaf ? 0 : POLLIN) | (camqp_waiting(connection) ? POLLOUT : 0))},
        {.fd = wake, .events = POLLIN}};
    int found = poll(wanted, 2, camqp_heartbeat_wait(connection, now, milliseconds));

    unsigned ready = 0;
    if (connection->heartbeat) now = camqp_now();
    if (deaf) {
        connection->last_heard = now;
        if (found > 0 && wanted[0].revents & (POLLHUP | POLLERR)) connection->deaf_until = 0;
    }
    if (found > 0 && wanted[0].revents & (POLLIN | POLLHUP | POLLERR)) {
        ready |= CAMQP_READY_INPUT;
        connection->readable = true;
        connection->last_heard = now;
    }
    if (found > 0 && wanted[0].revents & POLLOUT) {
        ready |= CAMQP_READY_OUTPUT;
        camqp_flush(connection);
    }
    if (found > 0 && wanted[1].revents & POLLIN) {
        ready |= CAMQP_READY_WOKEN;
        uint64_t times;
        if (read(wake, &times, sizeof times) < 0) times = 0;  // Somebody else has emptied it.
    }
    camqp_send_heartbeat(connection, now);
    return connection->open ? ready : ready | CAMQP_READY_INPUT;
}
