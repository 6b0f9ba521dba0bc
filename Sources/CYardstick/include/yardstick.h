/* What the benchmarks measure with: a peer in C++ that does the same job as `decide`, and a count of allocations. */
#ifndef YARDSTICK_H
#define YARDSTICK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes that must be readable behind a body. */
#define YARDSTICK_PADDING 64

/* The peer: widgets in memory, each message parsed (simdjson), merged (RFC 7396), checked by hand for the members of a
 * progress widget, and written as JSON. It knows one template, no addresses, times, revisions or changes: less than a
 * worker owes, so what it takes is a floor. */
typedef struct yardstick yardstick;

yardstick *yardstick_new(void);
void yardstick_free(yardstick *peer);

/* Decides a body `{"slug", "content", ...}`. Returns the length of the outcome. */
size_t yardstick_decide(yardstick *peer, const uint8_t *body, size_t length);

/* Allocations of this process so far: calls of malloc, calloc, realloc and their aligned kin. */
uint64_t yardstick_allocations(void);

/* Bytes that this process has allocated and not freed, as the allocator counts them: with its own words around each. */
size_t yardstick_bytes_in_use(void);

/* Calls `work`. callgrind counts instructions between entering and leaving this function (`--toggle-collect`). */
void yardstick_measured(void (*work)(void *context), void *context);

#ifdef __cplusplus
}
#endif

#endif
