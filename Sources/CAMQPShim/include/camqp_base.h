/// What all calls share: bytes, results and the last error.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Bytes that somebody else owns. `start` is NULL when the field is absent, and not NULL when it is there and empty.
typedef struct camqp_bytes {
    const uint8_t *start;
    size_t count;
} camqp_bytes;

/// How a call ended.
typedef enum camqp_status {
    CAMQP_OK = 0,
    /// The socket takes nothing more at the moment and nothing of this call was taken: wait, then try again.
    CAMQP_WOULD_BLOCK,
    /// AMQP cannot carry an argument (a text too long, properties larger than a frame). Nothing was sent.
    CAMQP_INVALID,
    /// The broker closed the channel; the connection lives, `camqp_reopen_channel` gives a new channel.
    CAMQP_CHANNEL_CLOSED,
    /// The broker closed the connection.
    CAMQP_CONNECTION_CLOSED,
    /// The library, the socket or TLS failed. The connection is of no further use.
    CAMQP_FAILED
} camqp_status;

/// The last fault of a connection. Texts stay valid until the next call on the connection.
typedef struct camqp_error {
    camqp_status status;
    /// Reply code of the broker (AMQP 0-9-1 section 1.1, such as 404), or the library's status (negative).
    int code;
    /// Class and method that the broker blames; 0 when it names none.
    uint16_t class_id;
    uint16_t method_id;
    /// What was being done, such as "declare queue". Never NULL.
    const char *operation;
    /// The broker's or the library's own words. Never NULL.
    const char *text;
} camqp_error;

/// An opaque connection with its channels. One thread uses it at a time.
typedef struct camqp_connection camqp_connection;
