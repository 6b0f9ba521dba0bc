/* A strict RFC 8259 reader over simdjson's first stage, for Swift, which cannot call C++ templates. */
#ifndef SIMDJSON_SHIM_H
#define SIMDJSON_SHIM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Why a text is no document. */
typedef enum {
    SIMDJSON_SHIM_OK = 0,
    SIMDJSON_SHIM_EMPTY,          /* no value at all */
    SIMDJSON_SHIM_TOO_LONG,       /* longer than SIMDJSON_SHIM_LONGEST */
    SIMDJSON_SHIM_NOT_UTF8,
    SIMDJSON_SHIM_BYTE_ORDER_MARK,
    SIMDJSON_SHIM_UNCLOSED_STRING,
    SIMDJSON_SHIM_CONTROL_CHARACTER, /* unescaped in a string */
    SIMDJSON_SHIM_BAD_ESCAPE,
    SIMDJSON_SHIM_LONE_SURROGATE, /* an escape that is half a pair */
    SIMDJSON_SHIM_BAD_NUMBER,
    SIMDJSON_SHIM_BAD_TOKEN,      /* not a value, or not the punctuation that belongs there */
    SIMDJSON_SHIM_UNCLOSED,       /* the text ends inside an array or object */
    SIMDJSON_SHIM_TRAILING,       /* something follows the value */
    SIMDJSON_SHIM_TOO_DEEP,
    SIMDJSON_SHIM_DUPLICATE_NAME,
    SIMDJSON_SHIM_NO_MEMORY
} simdjson_shim_status;

/* Offsets and lengths have 20 bits in a node. */
#define SIMDJSON_SHIM_LONGEST ((1u << 20) - 1)

/* What a text was read to: its compact form (no white space, shortest escapes, numbers as written) and a node for each
 * value and each member name, in order. Both stay valid until the reader's next call.
 *
 * A node, from the low bit: kind 3 bits (null 0, false 1, true 2, number 3, string 4, array 5, object 6), escaped
 * 1 bit (a string whose text holds a backslash), extent 20 bits (nodes of this value with all below it), start 20 bits
 * and length 20 bits in the compact text (a string's without its quotes). WidgetJSON's Node is the other half. */
typedef struct {
    simdjson_shim_status status;
    size_t offset; /* in the input, where it went wrong */
    const uint8_t *text;
    size_t text_length;
    const uint64_t *nodes;
    size_t node_count;
} simdjson_shim_result;

typedef struct simdjson_shim_reader simdjson_shim_reader;

/* NULL when there is no memory. */
simdjson_shim_reader *simdjson_shim_reader_new(void);
void simdjson_shim_reader_free(simdjson_shim_reader *reader);

/* Reads one value. `max_depth` counts arrays and objects inside each other, at most 64. */
simdjson_shim_result simdjson_shim_read(simdjson_shim_reader *reader, const uint8_t *bytes, size_t length,
                                        unsigned max_depth, int refuse_duplicate_names);

#ifdef __cplusplus
}
#endif

#endif
