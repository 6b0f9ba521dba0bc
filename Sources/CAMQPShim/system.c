#define _GNU_SOURCE
#include "camqp_system.h"

#include <pthread.h>
#include <sys/eventfd.h>

int camqp_make_wake(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void camqp_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }
