/// Notes what a thread has in hand when the process dies of a fault of its own. Swift cannot write a signal handler:
/// nearly nothing of it may be called in one (signal-safety(7)).
#pragma once
#include <stdint.h>

enum crash_notes_kind {
    CRASH_NOTES_NOTHING = 0,
    CRASH_NOTES_BATCH = 1,
    CRASH_NOTES_MESSAGE = 2,
};

/// Catches the fatal signals of the whole process; a line for each crash is appended to the open file `descriptor`.
/// Returns 0, or errno.
int crash_notes_begin(int descriptor);

/// Gives the calling thread a stack for the handler, so that a stack that overflowed is noted, too. Returns 0, or errno.
int crash_notes_cover_thread(void);

/// What the calling thread has in hand from now on. `high` and `low` name a message and count for nothing else.
void crash_notes_hold(enum crash_notes_kind kind, uint64_t high, uint64_t low);
