/// Exchanges, queues, bindings and consumers. Each call waits for the broker's answer; what arrives meanwhile is kept
/// for `camqp_next_event`. A refusal closes the channel: `CAMQP_CHANNEL_CLOSED`, with 404, 405, 406 or 403 as code.
///
/// Texts must not be over 255 octets; `CAMQP_INVALID` otherwise.
#pragma once
#include "camqp_header.h"

/// How a queue or an exchange is declared.
enum {
    /// Only look whether it is there.
    CAMQP_DECLARE_PASSIVE = 1,
    CAMQP_DECLARE_DURABLE = 2,
    CAMQP_DECLARE_EXCLUSIVE = 4,
    CAMQP_DECLARE_AUTO_DELETE = 8
};

typedef struct camqp_queue_status {
    /// The queue's name, which the broker made when an empty one was given.
    camqp_bytes name;
    uint32_t messages;
    uint32_t consumers;
} camqp_queue_status;

camqp_status camqp_declare_exchange(
    camqp_connection *connection, const char *name, const char *type, unsigned flags, const camqp_header *arguments,
    size_t count);
camqp_status camqp_delete_exchange(camqp_connection *connection, const char *name);

/// Routes from one exchange to another (exchange.bind, a RabbitMQ extension).
camqp_status camqp_bind_exchange(
    camqp_connection *connection, const char *destination, const char *source, const char *routing_key);

/// Arguments may be strings, integers and booleans; integers are sent as 64 bits.
camqp_status camqp_declare_queue(
    camqp_connection *connection, const char *name, unsigned flags, const camqp_header *arguments, size_t count,
    camqp_queue_status *result);
camqp_status camqp_bind_queue(
    camqp_connection *connection, const char *queue, const char *exchange, const char *routing_key);
camqp_status camqp_unbind_queue(
    camqp_connection *connection, const char *queue, const char *exchange, const char *routing_key);
camqp_status camqp_delete_queue(camqp_connection *connection, const char *name, uint32_t *messages);
camqp_status camqp_purge_queue(camqp_connection *connection, const char *name, uint32_t *messages);

/// Deliveries that may be unacknowledged at a time, for each consumer started from now on.
camqp_status camqp_set_prefetch(camqp_connection *connection, uint16_t count);

/// Starts a consumer that acknowledges.
camqp_status camqp_consume(camqp_connection *connection, const char *queue, const char *consumer_tag, bool exclusive);

/// Ends a consumer. What it was sent before the answer is still to be read from `camqp_next_event`.
camqp_status camqp_cancel(camqp_connection *connection, const char *consumer_tag);
