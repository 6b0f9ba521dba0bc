/* A document's text, copied out of the input in runs. */
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace widget_json {

/* The text in the making: the input without what it can do without. What stays is copied in runs, a compact input all
 * at once. */
struct compact_text {
    const uint8_t *bytes;
    uint8_t *out;
    size_t run_start; /* in the input: what stays from here on is not copied yet */
    size_t removed;   /* bytes of the input up to the run that the text has no longer */

    /* Where in the text a byte of the run stands. */
    size_t place(size_t offset) const { return offset - removed; }

    void copy_up_to(size_t offset) { memcpy(out + place(run_start), bytes + run_start, offset - run_start); }

    void leave_out(size_t from, size_t to) {
        copy_up_to(from);
        removed += to - from;
        run_start = to;
    }

    /* The text ends at `end` instead, and goes on with the input's byte at `offset`. */
    void go_on(const uint8_t *end, size_t offset) {
        removed = offset - (size_t)(end - out);
        run_start = offset;
    }
};

}  // namespace widget_json
