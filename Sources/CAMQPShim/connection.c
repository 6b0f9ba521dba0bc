#include "camqp_private.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

camqp_connection *camqp_create(void) {
    camqp_connection *connection = calloc(1, sizeof *connection);
    if (!connection) return NULL;
    connection->socket = -1;
    connection->frame_max = CAMQP_FRAME_MAX;
    connection->error.operation = connection->error.text = "";
    connection->certificate_ends.chain = connection->certificate_ends.own = INT64_MAX;
    connection->numbers[CAMQP_NUMBER_PORT] = 5672;
    connection->numbers[CAMQP_NUMBER_CONNECT_TIMEOUT] = 10000;
    connection->numbers[CAMQP_NUMBER_CALL_TIMEOUT] = 10000;
    connection->numbers[CAMQP_NUMBER_MAXIMUM_BODY] = 256 * 1024;
    return connection;
}

static void forget(char **text) {
    if (*text) explicit_bzero(*text, strlen(*text));
    free(*text);
    *text = NULL;
}

void camqp_destroy(camqp_connection *connection) {
    if (!connection) return;
    if (connection->library) amqp_destroy_connection(connection->library);
    if (connection->has_unreadable_pool) empty_amqp_pool(&connection->unreadable_pool);
    for (int which = 0; which < CAMQP_TEXT_COUNT; which++) forget(&connection->texts[which]);
    free(connection->output.bytes);
    for (int index = 0; index < CAMQP_CHANNEL_LIMIT; index++) {
        free(connection->contents[index].body);
        free(connection->contents[index].arena);
    }
    free(connection);
}

bool camqp_set_text(camqp_connection *connection, camqp_text which, const char *text) {
    char *copy = strdup(text);
    if (!copy) return false;
    forget(&connection->texts[which]);
    connection->texts[which] = copy;
    return true;
}

void camqp_set_number(camqp_connection *connection, camqp_number which, uint64_t number) {
    connection->numbers[which] = number;
}

bool camqp_has_channel(const camqp_connection *connection) { return connection->open && connection->channel_open; }

camqp_error camqp_last_error(const camqp_connection *connection) { return connection->error; }

static amqp_table_entry_t text_entry(const char *name, const char *text) {
    return (amqp_table_entry_t){
        .key = amqp_cstring_bytes(name),
        .value = {.kind = AMQP_FIELD_KIND_UTF8, .value.bytes = amqp_cstring_bytes(text)}};
}

static amqp_table_entry_t true_entry(const char *name) {
    return (amqp_table_entry_t){
        .key = amqp_cstring_bytes(name), .value = {.kind = AMQP_FIELD_KIND_BOOLEAN, .value.boolean = 1}};
}

static const char *text_or(const camqp_connection *connection, camqp_text which, const char *other) {
    return connection->texts[which] ? connection->texts[which] : other;
}

// The broker tells of cancelled consumers, alarms and nacks only to clients that say they understand them
// (https://www.rabbitmq.com/docs/consumer-cancel#capabilities, and the same for connection.blocked).
static amqp_rpc_reply_t log_in(camqp_connection *connection) {
    amqp_table_entry_t capabilities[] = {
        true_entry("consumer_cancel_notify"), true_entry("connection.blocked"),
        true_entry("basic.nack"), true_entry("publisher_confirms"),
        true_entry("authentication_failure_close"), true_entry("exchange_exchange_bindings")};
    amqp_table_entry_t properties[4] = {
        {.key = amqp_cstring_bytes("capabilities"),
         .value = {.kind = AMQP_FIELD_KIND_TABLE,
                   .value.table = {
                       .num_entries = sizeof capabilities / sizeof *capabilities, .entries = capabilities}}},
        text_entry("product", text_or(connection, CAMQP_TEXT_PRODUCT, "camqp")),
        text_entry("version", text_or(connection, CAMQP_TEXT_VERSION, "0")),
        text_entry("connection_name", text_or(connection, CAMQP_TEXT_CONNECTION_NAME, ""))};
    amqp_table_t table = {
        .num_entries = connection->texts[CAMQP_TEXT_CONNECTION_NAME] ? 4 : 3, .entries = properties};
    const char *host = text_or(connection, CAMQP_TEXT_VIRTUAL_HOST, "/");
    const char *user = text_or(connection, CAMQP_TEXT_USER, "guest");
    int heartbeat = (int)(connection->numbers[CAMQP_NUMBER_HEARTBEAT] & 0xFFFF);
    if (connection->numbers[CAMQP_NUMBER_EXTERNAL]) {
        // The broker goes by the certificate; librabbitmq cannot send an empty identity, so there is one to be ignored.
        const char *identity = *user ? user : "-";
        return amqp_login_with_properties(
            connection->library, host, 0, CAMQP_FRAME_MAX, heartbeat, &table, AMQP_SASL_METHOD_EXTERNAL, identity);
    }
    return amqp_login_with_properties(
        connection->library, host, 0, CAMQP_FRAME_MAX, heartbeat, &table, AMQP_SASL_METHOD_PLAIN, user,
        text_or(connection, CAMQP_TEXT_PASSWORD, "guest"));
}

// Over TLS the library writes, and blocks for as long as the broker does not read. The system ends that with an error
// (tcp(7), TCP_USER_TIMEOUT); a plain socket never blocks us.
static void limit_writes(camqp_connection *connection) {
    unsigned milliseconds = 30000;
    if (connection->tls)
        setsockopt(connection->socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &milliseconds, sizeof milliseconds);
}

static camqp_status open_channel(camqp_connection *connection) {
    amqp_channel_open(connection->library, connection->channel);
    camqp_status status = camqp_check(
        connection, connection->channel, "open channel", amqp_get_rpc_reply(connection->library));
    connection->channel_open = status == CAMQP_OK;
    connection->readable = true;
    connection->channel_count = 1;
    connection->confirms = false;
    return status;
}

camqp_status camqp_connect(camqp_connection *connection) {
    static const char connecting[] = "connect", logging_in[] = "log in";
    if (connection->library) return camqp_fail_text(connection, CAMQP_FAILED, connecting, "a connection connects once");
    amqp_connection_state_t library = connection->library = amqp_new_connection();
    if (!library) return camqp_fail(connection, connecting, AMQP_STATUS_NO_MEMORY);

    struct timeval patience = camqp_interval(connection->numbers[CAMQP_NUMBER_CONNECT_TIMEOUT]);
    struct timeval answer = camqp_interval(connection->numbers[CAMQP_NUMBER_CALL_TIMEOUT]);
    amqp_set_handshake_timeout(library, &patience);
    amqp_set_rpc_timeout(library, &answer);

    connection->tls = connection->numbers[CAMQP_NUMBER_TLS] != 0;
    amqp_socket_t *socket = connection->tls ? camqp_tls_socket(connection) : amqp_tcp_socket_new(library);
    // camqp_tls_socket has said why.
    if (!socket) return connection->tls ? CAMQP_FAILED : camqp_fail(connection, connecting, AMQP_STATUS_NO_MEMORY);

    int opened = amqp_socket_open_noblock(
        socket, text_or(connection, CAMQP_TEXT_HOST, "127.0.0.1"), (int)connection->numbers[CAMQP_NUMBER_PORT],
        &patience);
    if (opened != AMQP_STATUS_OK) return camqp_fail(connection, connecting, opened);
    connection->socket = amqp_get_sockfd(library);
    connection->open = true;
    if (connection->tls) connection->certificate_ends.chain = camqp_tls_chain_end();
    limit_writes(connection);

    amqp_rpc_reply_t reply = log_in(connection);
    forget(&connection->texts[CAMQP_TEXT_PASSWORD]);
    camqp_status status = camqp_check(connection, 0, logging_in, reply);
    if (status != CAMQP_OK) return status;

    connection->frame_max = (size_t)amqp_get_frame_max(library);
    connection->heartbeat = (uint64_t)amqp_get_heartbeat(library) * 1000;
    connection->channel = 1;
    status = open_channel(connection);
    if (status != CAMQP_OK) return status;
    camqp_take_heartbeat(connection);
    return CAMQP_OK;
}

camqp_certificate_ends camqp_certificates(const camqp_connection *connection) { return connection->certificate_ends; }

// Channels 1 and 2 take turns: what was still on its way to the old one is then told by its number.
camqp_status camqp_reopen_channel(camqp_connection *connection) {
    static const char operation[] = "open channel";
    if (!connection->open) return camqp_unusable(connection);
    if (connection->channel_open) return CAMQP_OK;
    if (connection->channel_count > 1) return camqp_unusable(connection);
    connection->channel = connection->channel == 1 ? 2 : 1;
    connection->channel_open = true;  // so that the call may begin
    camqp_status status = camqp_begin_call(connection, operation);
    if (status != CAMQP_OK) return status;
    status = open_channel(connection);
    camqp_take_heartbeat(connection);
    return status;
}
