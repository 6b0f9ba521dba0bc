#include "crash_notes.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

// What the kernel sends for a fault of the program itself. SIGKILL, and so the kernel's killer of large processes,
// leaves no note: nobody can tell it from an operator's.
static const int fatal[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP};
enum { FATAL_COUNT = sizeof fatal / sizeof *fatal };

static int file = -1;
static struct sigaction earlier[FATAL_COUNT];

static _Thread_local struct {
    volatile sig_atomic_t kind;
    volatile uint64_t high, low;
} hand;

static char *put_hex(char *at, uint64_t number) {
    for (int shift = 60; shift >= 0; shift -= 4) *at++ = "0123456789abcdef"[number >> shift & 15];
    return at;
}

static void note(void) {
    static const char batch[] = "batch\n", message[] = "message ";
    char line[sizeof message + 33], *at = line;
    const char *word = hand.kind == CRASH_NOTES_BATCH ? batch : message;
    while (*word) *at++ = *word++;
    if (hand.kind == CRASH_NOTES_MESSAGE) {
        at = put_hex(put_hex(at, hand.high), hand.low);
        *at++ = '\n';
    }
    // A note that cannot be written is missing; there is nobody to tell.
    if (write(file, line, (size_t)(at - line)) < 0) return;
}

static void on_fatal(int number) {
    if (hand.kind != CRASH_NOTES_NOTHING) note();
    hand.kind = CRASH_NOTES_NOTHING;
    for (int index = 0; index < FATAL_COUNT; index++)
        if (fatal[index] == number) sigaction(number, &earlier[index], NULL);
    // Held back until this returns, then for whoever caught it before, in the end the kernel with its core dump.
    raise(number);
}

int crash_notes_begin(int descriptor) {
    file = descriptor;
    struct sigaction action = {.sa_handler = on_fatal, .sa_flags = SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    for (int index = 0; index < FATAL_COUNT; index++)
        if (sigaction(fatal[index], &action, &earlier[index]) != 0) return errno;
    return 0;
}

int crash_notes_cover_thread(void) {
    // Kept until the process ends, as the thread is; in sight of whoever looks for what nobody points at any more.
    static _Thread_local void *kept;
    size_t size = (size_t)sysconf(_SC_MINSIGSTKSZ) + 16 * 1024;
    stack_t stack = {.ss_sp = kept = malloc(size), .ss_size = size};
    if (stack.ss_sp == NULL) return ENOMEM;
    return sigaltstack(&stack, NULL) == 0 ? 0 : errno;
}

void crash_notes_hold(enum crash_notes_kind kind, uint64_t high, uint64_t low) {
    hand.kind = CRASH_NOTES_NOTHING;
    hand.high = high;
    hand.low = low;
    hand.kind = kind;
}
