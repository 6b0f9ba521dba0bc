#pragma once
#include "relay.h"

#include <stddef.h>
#if __has_include(<rabbitmq-c/amqp.h>)
#include <rabbitmq-c/amqp.h>
#include <rabbitmq-c/tcp_socket.h>
#else
#include <amqp.h>
#include <amqp_tcp_socket.h>
#endif

amqp_connection_state_t relay_connect(const relay_broker *broker);
void relay_check(amqp_connection_state_t connection, const char *what);
void relay_end(const char *what);
// Nanoseconds of the monotonic clock.
uint64_t relay_now(void);
