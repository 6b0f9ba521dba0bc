#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "camqp_openssl.h"

static camqp_openssl found;
static bool is_whole;

static void look_up(void) {
    is_whole = true;
#define LOOK_UP(result, name, arguments)                              \
    found.name = (result(*) arguments)dlsym(RTLD_DEFAULT, #name);     \
    is_whole = is_whole && found.name;
    CAMQP_OPENSSL_FUNCTIONS(LOOK_UP)
#undef LOOK_UP
}

const camqp_openssl *camqp_find_openssl(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, look_up);
    return is_whole ? &found : NULL;
}
