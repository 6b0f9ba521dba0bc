// What TLS tells of certificates and of its refusals, which librabbitmq keeps to itself. Kept for each thread: a thread
// opens one connection after the other.
#include "camqp_private.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "camqp_openssl.h"

// x509_vfy.h and obj_mac.h.
enum {
    NOT_YET_VALID = 9,
    EXPIRED = 10,
    HOST_MISMATCH = 62,
    ADDRESS_MISMATCH = 64,
    SUBJECT_ALTERNATIVE_NAME = 85
};

static _Thread_local const char *wanted_name;
static _Thread_local char reason[400];
static _Thread_local int64_t chain_end;

// A time in seconds since 1970 (ASN1_TIME_diff(3): without a first time it is the present that is compared with).
static int64_t seconds_of(const camqp_openssl *openssl, const void *moment) {
    int days, seconds;
    if (!openssl->ASN1_TIME_diff(&days, &seconds, NULL, moment)) return INT64_MAX;
    return (int64_t)time(NULL) + (int64_t)days * 86400 + seconds;
}

// What OpenSSL writes about an object, as one line.
static void print(const camqp_openssl *openssl, const void *time, void *extension, char *text, size_t size) {
    void *out = openssl->BIO_new(openssl->BIO_s_mem());
    int printed = out && (extension ? openssl->X509V3_EXT_print(out, extension, 0, 0)
                                    : openssl->ASN1_TIME_print(out, time));
    int count = printed ? openssl->BIO_read(out, text, (int)size - 1) : 0;
    text[count > 0 ? count : 0] = 0;
    for (char *at = text; *at; at++)
        if ((unsigned char)*at < ' ') *at = ' ';
    if (out) openssl->BIO_free(out);
}

// What was wanted of the certificate and what it has.
static void describe(const camqp_openssl *openssl, int error, const void *certificate, char *text, size_t size) {
    char found[200] = "";
    if (error == HOST_MISMATCH || error == ADDRESS_MISMATCH) {
        int place = openssl->X509_get_ext_by_NID(certificate, SUBJECT_ALTERNATIVE_NAME, -1);
        if (place >= 0)
            print(openssl, NULL, openssl->X509_get_ext(certificate, place), found, sizeof found);
        else
            openssl->X509_NAME_oneline(openssl->X509_get_subject_name(certificate), found, sizeof found);
        snprintf(text, size, "wanted %s, it is for %s", wanted_name, found);
    } else if (error == EXPIRED || error == NOT_YET_VALID) {
        bool over = error == EXPIRED;
        print(openssl, over ? openssl->X509_get0_notAfter(certificate) : openssl->X509_get0_notBefore(certificate),
            NULL, found, sizeof found);
        snprintf(text, size, "it %s %s", over ? "ended" : "begins", found);
    } else {
        openssl->X509_NAME_oneline(openssl->X509_get_issuer_name(certificate), found, sizeof found);
        snprintf(text, size, "issued by %s", found);
    }
}

// Hears of each certificate of the chain; keeps the first fault and the nearest end, and changes nothing.
int camqp_tls_note(int verified, void *store) {
    const camqp_openssl *openssl = camqp_find_openssl();
    const void *certificate = openssl->X509_STORE_CTX_get_current_cert(store);
    if (!certificate) return verified;
    int64_t end = seconds_of(openssl, openssl->X509_get0_notAfter(certificate));
    if (end < chain_end) chain_end = end;
    if (!verified && !*reason) {
        int error = openssl->X509_STORE_CTX_get_error(store);
        char found[300];
        describe(openssl, error, certificate, found, sizeof found);
        snprintf(reason, sizeof reason, "%s (%s)", openssl->X509_verify_cert_error_string(error), found);
    }
    return verified;
}

// A new attempt, with what is wanted of the broker's certificate.
void camqp_tls_begin(const char *name) {
    const camqp_openssl *openssl = camqp_find_openssl();
    wanted_name = name;
    *reason = 0;
    chain_end = INT64_MAX;
    if (openssl) openssl->ERR_clear_error();
}

// Why the last attempt on this thread failed: the fault of a certificate, else OpenSSL's own words, such as those for
// the peer's alert; empty where nothing is known.
const char *camqp_tls_reason(void) {
    const camqp_openssl *openssl = camqp_find_openssl();
    unsigned long error = !*reason && openssl ? openssl->ERR_peek_error() : 0;
    if (error) {
        // "error:0A00045C:SSL routines::tlsv13 alert certificate required"
        char text[256];
        openssl->ERR_error_string_n(error, text, sizeof text);
        const char *colon = strrchr(text, ':');
        snprintf(reason, sizeof reason, "%s", colon ? colon + 1 : text);
    }
    return reason;
}

int64_t camqp_tls_chain_end(void) { return chain_end; }

int64_t camqp_tls_own_end(void *context) {
    const camqp_openssl *openssl = camqp_find_openssl();
    const void *certificate = openssl && context ? openssl->SSL_CTX_get0_certificate(context) : NULL;
    return certificate ? seconds_of(openssl, openssl->X509_get0_notAfter(certificate)) : INT64_MAX;
}
