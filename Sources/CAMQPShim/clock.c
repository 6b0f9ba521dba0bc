#include "camqp_private.h"

#include <time.h>

// Milliseconds of a clock that nobody sets.
uint64_t camqp_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

struct timeval camqp_interval(uint64_t milliseconds) {
    return (struct timeval){
        .tv_sec = (time_t)(milliseconds / 1000), .tv_usec = (suseconds_t)(milliseconds % 1000 * 1000)};
}
