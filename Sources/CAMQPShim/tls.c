// TLS with chain and name of the broker's certificate always verified.
//
// librabbitmq 0.11 compares the dialled name by itself and knows no addresses in certificates and no other name. OpenSSL
// does all of that (X509_VERIFY_PARAM_set1_host(3), SSL_CTX_set_verify(3)); where its functions cannot be found, the
// library's own comparison stays.
#include "camqp_private.h"

#include <arpa/inet.h>
#include <stdio.h>

#include "camqp_openssl.h"

static const char default_authorities[] = "/etc/ssl/certs/ca-certificates.crt";

// With OpenSSL's reason, where it has one.
static amqp_socket_t *refuse(camqp_connection *connection, const char *format, const char *subject, const char *other) {
    char text[400];
    int count = snprintf(text, sizeof text, format, subject, other);
    const char *reason = camqp_tls_reason();
    if (*reason && count > 0 && (size_t)count < sizeof text)
        snprintf(text + count, sizeof text - (size_t)count, ": %s", reason);
    camqp_fail_text(connection, CAMQP_FAILED, "prepare TLS", text);
    return NULL;
}

// A TLS socket that trusts, presents and verifies as the settings say; NULL with the reason in the error.
amqp_socket_t *camqp_tls_socket(camqp_connection *connection) {
    const char *other_name = connection->texts[CAMQP_TEXT_VERIFY_NAME];
    const char *host = connection->texts[CAMQP_TEXT_HOST];
    const char *name = other_name ? other_name : host ? host : "127.0.0.1";
    camqp_tls_begin(name);
    amqp_socket_t *socket = amqp_ssl_socket_new(connection->library);
    if (!socket) return refuse(connection, "librabbitmq gives no TLS socket%s%s", "", "");

    const char *authorities = connection->texts[CAMQP_TEXT_CA_FILE];
    if (!authorities) authorities = default_authorities;
    if (amqp_ssl_socket_set_cacert(socket, authorities) != AMQP_STATUS_OK)
        return refuse(connection, "wanted the authorities' certificates from %s%s", authorities, "");

    const char *certificate = connection->texts[CAMQP_TEXT_CERTIFICATE_FILE];
    const char *key = connection->texts[CAMQP_TEXT_KEY_FILE];
    void *context = amqp_ssl_socket_get_context(socket);
    if (certificate || key) {
        if (!certificate) return refuse(connection, "the client key %s lacks its certificate%s", key, "");
        if (!key) return refuse(connection, "the client certificate %s lacks its key%s", certificate, "");
        if (amqp_ssl_socket_set_key(socket, certificate, key) != AMQP_STATUS_OK)
            return refuse(connection, "wanted our certificate from %s and its key from %s", certificate, key);
        connection->certificate_ends.own = camqp_tls_own_end(context);
    }

    // RFC 8996 retires TLS 1.0 and 1.1.
    if (amqp_ssl_socket_set_ssl_versions(socket, AMQP_TLSv1_2, AMQP_TLSvLATEST) != AMQP_STATUS_OK)
        return refuse(connection, "OpenSSL lacks TLS 1.2%s%s", "", "");
    amqp_ssl_socket_set_verify_peer(socket, 1);
    amqp_ssl_socket_set_verify_hostname(socket, 1);

    const camqp_openssl *openssl = camqp_find_openssl();
    if (!context || !openssl) {
        if (!other_name) return socket;
        return refuse(connection, "this librabbitmq cannot verify another name than the host's (%s)%s", name, "");
    }

    void *parameters = openssl->SSL_CTX_get0_param(context);
    struct in6_addr address;
    int set;
    if (inet_pton(AF_INET, name, &address) == 1 || inet_pton(AF_INET6, name, &address) == 1) {
        set = openssl->X509_VERIFY_PARAM_set1_ip_asc(parameters, name);
    } else {
        // X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS, RFC 6125 section 6.4.3
        openssl->X509_VERIFY_PARAM_set_hostflags(parameters, 4);
        set = openssl->X509_VERIFY_PARAM_set1_host(parameters, name, 0);
    }
    if (set != 1) return refuse(connection, "%s is no name that a certificate can carry%s", name, "");
    // The chain's result now includes the name, and the library refuses any result but a good one. Mode 0
    // (SSL_VERIFY_NONE) leaves that refusal to it, before anything of ours is sent.
    openssl->SSL_CTX_set_verify(context, 0, camqp_tls_note);
    amqp_ssl_socket_set_verify_hostname(socket, 0);
    return socket;
}
