#include "connect.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void relay_end(const char *what) {
    fprintf(stderr, "error: the relay could not %s\n", what);
    exit(3);
}

void relay_check(amqp_connection_state_t connection, const char *what) {
    if (amqp_get_rpc_reply(connection).reply_type != AMQP_RESPONSE_NORMAL) relay_end(what);
}

uint64_t relay_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

amqp_connection_state_t relay_connect(const relay_broker *broker) {
    amqp_connection_state_t connection = amqp_new_connection();
    amqp_socket_t *socket = connection ? amqp_tcp_socket_new(connection) : NULL;
    if (!socket || amqp_socket_open(socket, broker->host, broker->port) != AMQP_STATUS_OK) relay_end("connect");
    amqp_rpc_reply_t reply = amqp_login(
        connection, broker->virtual_host, 0, 131072, 0, AMQP_SASL_METHOD_PLAIN, broker->user, broker->password);
    if (reply.reply_type != AMQP_RESPONSE_NORMAL) relay_end("log in");
    amqp_channel_open(connection, 1);
    relay_check(connection, "open a channel");
    return connection;
}
