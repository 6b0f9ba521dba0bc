// The connection's insides, shared by the files of this folder.
#pragma once
#include "camqp_connection.h"
#include "camqp_event.h"
#include "camqp_publish.h"
#include "camqp_topology.h"

#include <endian.h>
#include <sys/time.h>

#if __has_include(<rabbitmq-c/amqp.h>)
#include <rabbitmq-c/amqp.h>
#include <rabbitmq-c/framing.h>
#include <rabbitmq-c/ssl_socket.h>
#include <rabbitmq-c/tcp_socket.h>
#else
#include <amqp.h>
#include <amqp_framing.h>
#include <amqp_ssl_socket.h>
#include <amqp_tcp_socket.h>
#endif

enum {
    // What RabbitMQ offers by default. Larger frames would only cost memory.
    CAMQP_FRAME_MAX = 131072,
    // Type, channel and size before a payload, the end mark behind it (AMQP 0-9-1 section 4.2.3).
    CAMQP_FRAME_OVERHEAD = 8,
    // Headers of a message that are looked at. A frame could hold 60 000.
    CAMQP_HEADER_LIMIT = 256,
    // Channels of a connection that publishes over several.
    CAMQP_CHANNEL_LIMIT = 4,
    CAMQP_SHORT_TEXT = 255
};

// Output that waits for the socket: whole frames, of which the first may be half sent.
typedef struct camqp_output {
    uint8_t *bytes;
    size_t start;
    size_t end;
    size_t capacity;
} camqp_output;

typedef enum camqp_content_state {
    CAMQP_CONTENT_NONE = 0,
    CAMQP_CONTENT_HEADER,
    CAMQP_CONTENT_BODY
} camqp_content_state;

// A message on its way in on a channel: method, header and body come as frames of their own (AMQP 0-9-1 section 4.2.6),
// and those of another channel may come in between.
typedef struct camqp_content {
    camqp_content_state state;
    // The event under way. What arrives in between has an event of its own.
    camqp_event event;
    // Its fields point at `arena`, no longer at the library's frames.
    bool kept;
    uint64_t size;
    uint64_t received;
    uint64_t limit;
    uint8_t *body;
    size_t body_count;
    size_t body_capacity;
    uint8_t *arena;
    size_t arena_capacity;
    camqp_header headers[CAMQP_HEADER_LIMIT];
} camqp_content;

struct camqp_connection {
    amqp_connection_state_t library;
    int socket;
    bool tls;
    camqp_certificate_ends certificate_ends;
    bool open;
    // All of them: one that the broker closes takes the others out of use.
    bool channel_open;
    // The socket may have input that was not read yet.
    bool readable;
    // The first channel's number, over which all but publications goes; the others follow it.
    amqp_channel_t channel;
    unsigned channel_count;
    size_t frame_max;

    uint64_t heartbeat;  // milliseconds, 0 for none
    uint64_t last_sent;
    uint64_t last_heard;
    bool sent;  // since `last_sent` was set

    bool confirms;
    uint64_t published[CAMQP_CHANNEL_LIMIT];

    // Of the delivery that could not be read, 0 when there was none; when it is given up; the highest acknowledged tag.
    uint64_t deaf_tag;
    uint64_t deaf_until;
    uint64_t acknowledged;
    amqp_pool_t unreadable_pool;
    bool has_unreadable_pool;

    camqp_output output;
    camqp_content contents[CAMQP_CHANNEL_LIMIT];
    camqp_event event;

    camqp_error error;
    char error_text[512];

    char *texts[CAMQP_TEXT_COUNT];
    uint64_t numbers[CAMQP_NUMBER_COUNT];
};

// error.c
camqp_status camqp_unusable(const camqp_connection *connection);
camqp_status camqp_fail(camqp_connection *connection, const char *operation, int library_status);
camqp_status camqp_fail_text(
    camqp_connection *connection, camqp_status status, const char *operation, const char *text);
void camqp_note_close(
    camqp_connection *connection, camqp_status status, uint16_t code, amqp_bytes_t text, uint16_t class_id,
    uint16_t method_id);
camqp_status camqp_check(
    camqp_connection *connection, amqp_channel_t channel, const char *operation, amqp_rpc_reply_t reply);

// close.c
camqp_status camqp_channel_was_closed(
    camqp_connection *connection, amqp_channel_t channel, const char *operation, amqp_channel_close_t *method);
camqp_status camqp_connection_was_closed(
    camqp_connection *connection, const char *operation, amqp_connection_close_t *method);

// clock.c
uint64_t camqp_now(void);
struct timeval camqp_interval(uint64_t milliseconds);

// heartbeat.c
void camqp_lend_heartbeat(camqp_connection *connection);
void camqp_take_heartbeat(camqp_connection *connection);
void camqp_send_heartbeat(camqp_connection *connection, uint64_t now);
int camqp_heartbeat_wait(const camqp_connection *connection, uint64_t now, int milliseconds);

// call.c
camqp_status camqp_begin_call(camqp_connection *connection, const char *operation);
camqp_status camqp_end_call(camqp_connection *connection, const char *operation);
camqp_status camqp_end_call_on(camqp_connection *connection, amqp_channel_t channel, const char *operation);

// output.c
uint8_t *camqp_reserve(camqp_connection *connection, size_t count);
size_t camqp_waiting(const camqp_connection *connection);
camqp_status camqp_flush_until(camqp_connection *connection, const char *operation, uint64_t deadline);
bool camqp_writable(const camqp_connection *connection, int milliseconds);

// frame.c
uint8_t *camqp_put_frame(camqp_connection *connection, uint8_t type, amqp_channel_t channel, uint32_t payload);

// tls.c
amqp_socket_t *camqp_tls_socket(camqp_connection *connection);

// tls_report.c
void camqp_tls_begin(const char *name);
int camqp_tls_note(int verified, void *store);
const char *camqp_tls_reason(void);
int64_t camqp_tls_chain_end(void);
int64_t camqp_tls_own_end(void *context);

// headers.c
size_t camqp_flatten(const amqp_table_t *table, camqp_header *headers, size_t limit);

// table.c
camqp_status camqp_make_table(
    const camqp_header *headers, size_t count, amqp_table_entry_t *entries, size_t limit, amqp_table_t *table);

// content.c
void camqp_start_delivery(
    const camqp_connection *connection, camqp_content *content, const amqp_basic_deliver_t *method);
void camqp_start_return(camqp_content *content, const amqp_basic_return_t *method);
bool camqp_take_content(
    const camqp_connection *connection, camqp_content *content, const amqp_frame_t *frame,
    const camqp_event **complete);
void camqp_take_properties(camqp_content *content, const amqp_basic_properties_t *from);
void camqp_drop_contents(camqp_connection *connection);
bool camqp_may_release(const camqp_connection *connection);

// unreadable.c
const camqp_event *camqp_unreadable_delivery(camqp_connection *connection, const amqp_frame_t *frame);
bool camqp_is_deaf(const camqp_connection *connection);
bool camqp_gave_up_deaf(camqp_connection *connection);

// keep.c
bool camqp_keep(camqp_content *content);

// Big-endian writers, each returning the place behind what it wrote (AMQP 0-9-1 section 4.2.5).
static inline uint8_t *camqp_put8(uint8_t *at, uint8_t value) {
    *at = value;
    return at + 1;
}

static inline uint8_t *camqp_put16(uint8_t *at, uint16_t value) {
    value = htobe16(value);
    __builtin_memcpy(at, &value, sizeof value);
    return at + sizeof value;
}

static inline uint8_t *camqp_put32(uint8_t *at, uint32_t value) {
    value = htobe32(value);
    __builtin_memcpy(at, &value, sizeof value);
    return at + sizeof value;
}

static inline uint8_t *camqp_put64(uint8_t *at, uint64_t value) {
    value = htobe64(value);
    __builtin_memcpy(at, &value, sizeof value);
    return at + sizeof value;
}

static inline uint8_t *camqp_put_bytes(uint8_t *at, camqp_bytes bytes) {
    if (bytes.count) __builtin_memcpy(at, bytes.start, bytes.count);
    return at + bytes.count;
}

static inline uint8_t *camqp_put_short(uint8_t *at, camqp_bytes bytes) {
    return camqp_put_bytes(camqp_put8(at, (uint8_t)bytes.count), bytes);
}

static inline amqp_bytes_t camqp_library_bytes(camqp_bytes bytes) {
    return (amqp_bytes_t){.len = bytes.count, .bytes = (void *)bytes.start};
}

// The library's bytes; present even when empty.
static inline camqp_bytes camqp_own_bytes(amqp_bytes_t bytes) {
    if (!bytes.bytes) return (camqp_bytes){.start = (const uint8_t *)"", .count = 0};
    return (camqp_bytes){.start = bytes.bytes, .count = bytes.len};
}
