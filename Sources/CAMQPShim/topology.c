#include "camqp_private.h"

#include <string.h>

enum { ARGUMENT_LIMIT = 16 };

static bool fits(const char *text) { return strlen(text) <= CAMQP_SHORT_TEXT; }

static camqp_status begin(
    camqp_connection *connection, const char *operation, const char *first, const char *second, const char *third) {
    if (!fits(first) || !fits(second) || !fits(third))
        return camqp_fail_text(connection, CAMQP_INVALID, operation, "a name is over 255 octets");
    return camqp_begin_call(connection, operation);
}

static camqp_status arguments_table(
    camqp_connection *connection, const char *operation, const camqp_header *arguments, size_t count,
    amqp_table_entry_t *entries, amqp_table_t *table) {
    if (camqp_make_table(arguments, count, entries, ARGUMENT_LIMIT, table) == CAMQP_OK) return CAMQP_OK;
    return camqp_fail_text(connection, CAMQP_INVALID, operation, "an argument is of a kind that is not sent");
}

camqp_status camqp_declare_exchange(
    camqp_connection *connection, const char *name, const char *type, unsigned flags, const camqp_header *arguments,
    size_t count) {
    static const char operation[] = "declare exchange";
    amqp_table_entry_t entries[ARGUMENT_LIMIT];
    amqp_table_t table;
    camqp_status status = arguments_table(connection, operation, arguments, count, entries, &table);
    if (status == CAMQP_OK) status = begin(connection, operation, name, type, "");
    if (status != CAMQP_OK) return status;
    amqp_exchange_declare(
        connection->library, connection->channel, amqp_cstring_bytes(name), amqp_cstring_bytes(type),
        (flags & CAMQP_DECLARE_PASSIVE) != 0, (flags & CAMQP_DECLARE_DURABLE) != 0,
        (flags & CAMQP_DECLARE_AUTO_DELETE) != 0, 0, table);
    return camqp_end_call(connection, operation);
}

camqp_status camqp_delete_exchange(camqp_connection *connection, const char *name) {
    static const char operation[] = "delete exchange";
    camqp_status status = begin(connection, operation, name, "", "");
    if (status != CAMQP_OK) return status;
    amqp_exchange_delete(connection->library, connection->channel, amqp_cstring_bytes(name), 0);
    return camqp_end_call(connection, operation);
}

camqp_status camqp_bind_exchange(
    camqp_connection *connection, const char *destination, const char *source, const char *routing_key) {
    static const char operation[] = "bind exchange";
    camqp_status status = begin(connection, operation, destination, source, routing_key);
    if (status != CAMQP_OK) return status;
    amqp_exchange_bind(
        connection->library, connection->channel, amqp_cstring_bytes(destination), amqp_cstring_bytes(source),
        amqp_cstring_bytes(routing_key), amqp_empty_table);
    return camqp_end_call(connection, operation);
}

camqp_status camqp_declare_queue(
    camqp_connection *connection, const char *name, unsigned flags, const camqp_header *arguments, size_t count,
    camqp_queue_status *result) {
    static const char operation[] = "declare queue";
    amqp_table_entry_t entries[ARGUMENT_LIMIT];
    amqp_table_t table;
    camqp_status status = arguments_table(connection, operation, arguments, count, entries, &table);
    if (status == CAMQP_OK) status = begin(connection, operation, name, "", "");
    if (status != CAMQP_OK) return status;
    amqp_queue_declare_ok_t *answer = amqp_queue_declare(
        connection->library, connection->channel, amqp_cstring_bytes(name), (flags & CAMQP_DECLARE_PASSIVE) != 0,
        (flags & CAMQP_DECLARE_DURABLE) != 0, (flags & CAMQP_DECLARE_EXCLUSIVE) != 0,
        (flags & CAMQP_DECLARE_AUTO_DELETE) != 0, table);
    status = camqp_end_call(connection, operation);
    if (status == CAMQP_OK && answer)
        *result = (camqp_queue_status){
            .name = camqp_own_bytes(answer->queue), .messages = answer->message_count,
            .consumers = answer->consumer_count};
    return status;
}

camqp_status camqp_bind_queue(
    camqp_connection *connection, const char *queue, const char *exchange, const char *routing_key) {
    static const char operation[] = "bind queue";
    camqp_status status = begin(connection, operation, queue, exchange, routing_key);
    if (status != CAMQP_OK) return status;
    amqp_queue_bind(
        connection->library, connection->channel, amqp_cstring_bytes(queue), amqp_cstring_bytes(exchange),
        amqp_cstring_bytes(routing_key), amqp_empty_table);
    return camqp_end_call(connection, operation);
}

camqp_status camqp_unbind_queue(
    camqp_connection *connection, const char *queue, const char *exchange, const char *routing_key) {
    static const char operation[] = "unbind queue";
    camqp_status status = begin(connection, operation, queue, exchange, routing_key);
    if (status != CAMQP_OK) return status;
    amqp_queue_unbind(
        connection->library, connection->channel, amqp_cstring_bytes(queue), amqp_cstring_bytes(exchange),
        amqp_cstring_bytes(routing_key), amqp_empty_table);
    return camqp_end_call(connection, operation);
}

camqp_status camqp_delete_queue(camqp_connection *connection, const char *name, uint32_t *messages) {
    static const char operation[] = "delete queue";
    camqp_status status = begin(connection, operation, name, "", "");
    if (status != CAMQP_OK) return status;
    amqp_queue_delete_ok_t *answer =
        amqp_queue_delete(connection->library, connection->channel, amqp_cstring_bytes(name), 0, 0);
    status = camqp_end_call(connection, operation);
    if (status == CAMQP_OK && answer) *messages = answer->message_count;
    return status;
}

camqp_status camqp_purge_queue(camqp_connection *connection, const char *name, uint32_t *messages) {
    static const char operation[] = "purge queue";
    camqp_status status = begin(connection, operation, name, "", "");
    if (status != CAMQP_OK) return status;
    amqp_queue_purge_ok_t *answer =
        amqp_queue_purge(connection->library, connection->channel, amqp_cstring_bytes(name));
    status = camqp_end_call(connection, operation);
    if (status == CAMQP_OK && answer) *messages = answer->message_count;
    return status;
}
