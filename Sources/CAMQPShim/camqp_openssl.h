// The functions of OpenSSL that are used.
//
// OpenSSL is there wherever librabbitmq has TLS, so its functions are looked up, not linked: no dependency is added.
// Their types' insides are nobody's business here, hence `void`.
#pragma once

#define CAMQP_OPENSSL_FUNCTIONS(function)                                              \
    function(void *, SSL_CTX_get0_param, (void *context))                              \
    function(void *, SSL_CTX_get0_certificate, (void *context))                        \
    function(void, SSL_CTX_set_verify, (void *context, int mode, int (*)(int, void *))) \
    function(int, X509_VERIFY_PARAM_set1_host, (void *, const char *name, size_t))     \
    function(int, X509_VERIFY_PARAM_set1_ip_asc, (void *, const char *address))        \
    function(void, X509_VERIFY_PARAM_set_hostflags, (void *, unsigned flags))          \
    function(int, X509_STORE_CTX_get_error, (void *store))                             \
    function(void *, X509_STORE_CTX_get_current_cert, (void *store))                   \
    function(const char *, X509_verify_cert_error_string, (long error))                \
    function(const void *, X509_get0_notBefore, (const void *certificate))             \
    function(const void *, X509_get0_notAfter, (const void *certificate))              \
    function(void *, X509_get_subject_name, (const void *certificate))                 \
    function(void *, X509_get_issuer_name, (const void *certificate))                  \
    function(char *, X509_NAME_oneline, (const void *name, char *text, int size))      \
    function(int, X509_get_ext_by_NID, (const void *certificate, int, int after))      \
    function(void *, X509_get_ext, (const void *certificate, int place))               \
    function(int, X509V3_EXT_print, (void *out, void *extension, unsigned long, int))  \
    function(int, ASN1_TIME_diff, (int *days, int *seconds, const void *, const void *)) \
    function(int, ASN1_TIME_print, (void *out, const void *time))                      \
    function(const void *, BIO_s_mem, (void))                                          \
    function(void *, BIO_new, (const void *kind))                                      \
    function(int, BIO_read, (void *, void *bytes, int size))                           \
    function(int, BIO_free, (void *))                                                  \
    function(unsigned long, ERR_peek_error, (void))                                    \
    function(void, ERR_error_string_n, (unsigned long error, char *text, size_t size)) \
    function(void, ERR_clear_error, (void))

typedef struct camqp_openssl {
#define CAMQP_OPENSSL_FIELD(result, name, arguments) result(*name) arguments;
    CAMQP_OPENSSL_FUNCTIONS(CAMQP_OPENSSL_FIELD)
#undef CAMQP_OPENSSL_FIELD
} camqp_openssl;

// NULL where one of them is missing.
const camqp_openssl *camqp_find_openssl(void);
