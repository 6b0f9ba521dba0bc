#pragma once
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

// Here because OpenSSL has them as macros, which Swift cannot call.

/// 1 when nothing older than TLS 1.2 is spoken from now on.
static inline int copenssl_want_tls_1_2(SSL_CTX *context) {
    return (int)SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
}

/// 1 when the name is told to the server (RFC 6066 section 3).
static inline int copenssl_tell_name(SSL *session, const char *name) {
    return (int)SSL_set_tlsext_host_name(session, name);
}

/// A write that took a part of the bytes is a success, and the rest may lie elsewhere when it is tried again.
static inline void copenssl_write_in_parts(SSL *session) {
    SSL_set_mode(session, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
}
