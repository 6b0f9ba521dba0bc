// TLS with chain and name of the broker's certificate always verified.
//
// librabbitmq 0.11 compares the dialled name by itself, knows no addresses in certificates and no other name, and keeps
// the reason of a refusal to itself. OpenSSL does all of that (X509_VERIFY_PARAM_set1_host(3), SSL_CTX_set_verify(3)).
// It is there wherever librabbitmq has TLS, so its functions are looked up, not linked: no dependency is added, and
// where they are missing the library's own comparison stays.
#define _GNU_SOURCE
#include "camqp_private.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

static const char default_authorities[] = "/etc/ssl/certs/ca-certificates.crt";
static _Thread_local char reason[160];
static _Thread_local int days_left;

typedef struct openssl {
    void *(*parameters)(void *context);
    int (*set_host)(void *parameters, const char *name, size_t count);
    int (*set_address)(void *parameters, const char *address);
    void (*set_host_flags)(void *parameters, unsigned flags);
    void (*set_verify)(void *context, int mode, int (*verified)(int, void *));
    int (*error)(void *store);
    const char *(*error_text)(long error);
} openssl;

static const openssl *find_openssl(openssl *functions) {
    static const char *const names[] = {
        "SSL_CTX_get0_param", "X509_VERIFY_PARAM_set1_host", "X509_VERIFY_PARAM_set1_ip_asc",
        "X509_VERIFY_PARAM_set_hostflags", "SSL_CTX_set_verify", "X509_STORE_CTX_get_error",
        "X509_verify_cert_error_string"};
    void *found[sizeof names / sizeof *names];
    _Static_assert(sizeof found == sizeof *functions, "a name for each function");
    for (size_t index = 0; index < sizeof names / sizeof *names; index++)
        if (!(found[index] = dlsym(RTLD_DEFAULT, names[index]))) return NULL;
    memcpy(functions, found, sizeof found);
    return functions;
}

const char *camqp_tls_reason(void) { return reason; }

int camqp_tls_days(void) { return days_left; }

// Keeps the fewest days that a certificate of the chain has left (X509_get0_notAfter(3), ASN1_TIME_diff(3)).
static void note_end(void *store) {
    void *(*current)(void *) = (void *(*)(void *))dlsym(RTLD_DEFAULT, "X509_STORE_CTX_get_current_cert");
    const void *(*end)(const void *) = (const void *(*)(const void *))dlsym(RTLD_DEFAULT, "X509_get0_notAfter");
    int (*difference)(int *, int *, const void *, const void *) =
        (int (*)(int *, int *, const void *, const void *))dlsym(RTLD_DEFAULT, "ASN1_TIME_diff");
    int days, seconds;
    // Without a first time it is the present that is compared with.
    if (current && end && difference && difference(&days, &seconds, NULL, end(current(store))) && days < days_left)
        days_left = days;
}

// Hears of each certificate of the chain; keeps the first fault's text and the nearest end, and changes nothing.
static int note(int verified, void *store) {
    openssl functions;
    note_end(store);
    if (!verified && !*reason && find_openssl(&functions)) {
        const char *text = functions.error_text(functions.error(store));
        snprintf(reason, sizeof reason, "%s", text ? text : "unknown reason");
    }
    return verified;
}

static amqp_socket_t *refuse(camqp_connection *connection, const char *format, const char *subject) {
    char text[400];
    snprintf(text, sizeof text, format, subject);
    camqp_fail_text(connection, CAMQP_FAILED, "prepare TLS", text);
    return NULL;
}

// A TLS socket that trusts, presents and verifies as the settings say; NULL with the reason in the error.
amqp_socket_t *camqp_tls_socket(camqp_connection *connection) {
    *reason = 0;
    days_left = INT_MAX;
    amqp_socket_t *socket = amqp_ssl_socket_new(connection->library);
    if (!socket) return refuse(connection, "librabbitmq gives no TLS socket%s", "");

    const char *authorities = connection->texts[CAMQP_TEXT_CA_FILE];
    if (!authorities) authorities = default_authorities;
    if (amqp_ssl_socket_set_cacert(socket, authorities) != AMQP_STATUS_OK)
        return refuse(connection, "no certificates of authorities can be read from %s", authorities);

    const char *certificate = connection->texts[CAMQP_TEXT_CERTIFICATE_FILE];
    const char *key = connection->texts[CAMQP_TEXT_KEY_FILE];
    if (certificate || key) {
        if (!certificate) return refuse(connection, "the client key %s lacks its certificate", key);
        if (!key) return refuse(connection, "the client certificate %s lacks its key", certificate);
        if (amqp_ssl_socket_set_key(socket, certificate, key) != AMQP_STATUS_OK)
            return refuse(connection, "the client certificate %s or its key cannot be used", certificate);
    }

    // RFC 8996 retires TLS 1.0 and 1.1.
    if (amqp_ssl_socket_set_ssl_versions(socket, AMQP_TLSv1_2, AMQP_TLSvLATEST) != AMQP_STATUS_OK)
        return refuse(connection, "OpenSSL lacks TLS 1.2%s", "");
    amqp_ssl_socket_set_verify_peer(socket, 1);
    amqp_ssl_socket_set_verify_hostname(socket, 1);

    const char *host = connection->texts[CAMQP_TEXT_HOST];
    const char *name = connection->texts[CAMQP_TEXT_VERIFY_NAME];
    openssl functions;
    void *context = amqp_ssl_socket_get_context(socket);
    if (!context || !find_openssl(&functions)) {
        if (!name) return socket;
        return refuse(connection, "this librabbitmq cannot verify another name than the host's (%s)", name);
    }

    if (!name) name = host ? host : "127.0.0.1";
    void *parameters = functions.parameters(context);
    struct in6_addr address;
    int set;
    if (inet_pton(AF_INET, name, &address) == 1 || inet_pton(AF_INET6, name, &address) == 1) {
        set = functions.set_address(parameters, name);
    } else {
        functions.set_host_flags(parameters, 4);  // X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS, RFC 6125 section 6.4.3
        set = functions.set_host(parameters, name, 0);
    }
    if (set != 1) return refuse(connection, "%s is no name that a certificate can carry", name);
    // The chain's result now includes the name, and the library refuses any result but a good one. Mode 0
    // (SSL_VERIFY_NONE) leaves that refusal to it, before anything of ours is sent.
    functions.set_verify(context, 0, note);
    amqp_ssl_socket_set_verify_hostname(socket, 0);
    return socket;
}
