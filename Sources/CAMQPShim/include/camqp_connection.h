/// Opening, waiting on and closing a connection.
#pragma once
#include "camqp_base.h"

/// Settings that are texts. All but the host are optional.
typedef enum camqp_text {
    /// Name or address to dial; an IPv6 address without brackets.
    CAMQP_TEXT_HOST = 0,
    /// Name that the broker's certificate must carry, when it is not the host's.
    CAMQP_TEXT_VERIFY_NAME,
    /// Certificates of the authorities that are trusted, as PEM; the distribution's bundle when not set.
    CAMQP_TEXT_CA_FILE,
    /// Our own certificate chain and key, as PEM.
    CAMQP_TEXT_CERTIFICATE_FILE,
    CAMQP_TEXT_KEY_FILE,
    CAMQP_TEXT_USER,
    /// Forgotten as soon as the login is over.
    CAMQP_TEXT_PASSWORD,
    CAMQP_TEXT_VIRTUAL_HOST,
    /// Name of the connection in the broker's lists.
    CAMQP_TEXT_CONNECTION_NAME,
    CAMQP_TEXT_PRODUCT,
    CAMQP_TEXT_VERSION,
    CAMQP_TEXT_COUNT
} camqp_text;

/// Settings that are numbers.
typedef enum camqp_number {
    CAMQP_NUMBER_PORT = 0,
    /// 1 for TLS. Chain and name of the broker's certificate are always verified.
    CAMQP_NUMBER_TLS,
    /// 1 for SASL EXTERNAL (the client certificate says who we are) in place of PLAIN.
    CAMQP_NUMBER_EXTERNAL,
    /// Asked for in seconds; the broker may lower it. 0 for none.
    CAMQP_NUMBER_HEARTBEAT,
    /// Milliseconds for the connection and for the login, each.
    CAMQP_NUMBER_CONNECT_TIMEOUT,
    /// Milliseconds that the broker has for an answer.
    CAMQP_NUMBER_CALL_TIMEOUT,
    /// Octets of a body that are kept; the rest is counted and dropped as it arrives.
    CAMQP_NUMBER_MAXIMUM_BODY,
    CAMQP_NUMBER_COUNT
} camqp_number;

/// Bits of what `camqp_wait` found.
enum {
    CAMQP_READY_INPUT = 1,
    CAMQP_READY_WOKEN = 2,
    CAMQP_READY_OUTPUT = 4
};

/// A connection that is not open yet, or NULL when there is no memory.
camqp_connection *camqp_create(void);

/// Closes the socket, without a farewell, and frees everything. NULL is allowed.
void camqp_destroy(camqp_connection *connection);

/// Copies a setting; false when there is no memory. For use before `camqp_connect`.
bool camqp_set_text(camqp_connection *connection, camqp_text which, const char *text);

/// Sets a number. For use before `camqp_connect`.
void camqp_set_number(camqp_connection *connection, camqp_number which, uint64_t number);

/// Connects, logs in and opens a channel. Once only; after a failure make a new connection.
///
/// A server name other than the host's is verified but not sent: librabbitmq 0.11 always asks for the host (SNI).
camqp_status camqp_connect(camqp_connection *connection);

/// Opens another channel after the broker has closed the last one; not for a connection with several. Consumers,
/// prefetch and confirms start afresh.
camqp_status camqp_reopen_channel(camqp_connection *connection);

/// Sends what is waiting and says goodbye, in at most `milliseconds`. The connection is closed afterwards, whatever
/// the result.
camqp_status camqp_close(camqp_connection *connection, int milliseconds);

/// Whether the channel can still be used.
bool camqp_has_channel(const camqp_connection *connection);

/// When the first certificate of the broker's chain ends, and our own, seconds since 1970; `INT64_MAX` where there is
/// none, or OpenSSL does not tell.
typedef struct camqp_certificate_ends {
    int64_t chain, own;
} camqp_certificate_ends;

camqp_certificate_ends camqp_certificates(const camqp_connection *connection);

camqp_error camqp_last_error(const camqp_connection *connection);

/// Waits until there is input, `wake` (an eventfd, or -1) was written to, waiting output could be sent, or
/// `milliseconds` (-1 for ever) are over; less when a heartbeat is due. Sends waiting output and heartbeats, notices
/// a peer that is silent for two heartbeats, and empties `wake`. Returns bits of `CAMQP_READY_…`; a fault shows up
/// as input.
unsigned camqp_wait(camqp_connection *connection, int wake, int milliseconds);

/// Sends what is waiting without blocking. `CAMQP_WOULD_BLOCK` when something is left.
camqp_status camqp_flush(camqp_connection *connection);
