// Faults from inside the worker's process: the fault tests build this and load it with LD_PRELOAD. What is to happen
// stands in a page of memory that the tests share with the process; FaultPage.swift writes it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

enum point { NOWHERE, AFTER_COMMIT, AFTER_PUBLISH, AFTER_CONFIRM, AFTER_ACKNOWLEDGEMENT, AFTER_ANY_CALL };

typedef struct fault_page {
    // SIGKILL at the `countdown`th time that the process passes this point.
    _Atomic int64_t point;
    _Atomic int64_t countdown;
    // How far the wall clock is off.
    _Atomic int64_t clock_seconds;
    // How long the disk takes.
    _Atomic int64_t sync_milliseconds;
} fault_page;

static fault_page idle_page;
static fault_page *page = &idle_page;

static ssize_t (*real_send)(int, const void *, size_t, int);
static ssize_t (*real_recv)(int, void *, size_t, int);
static ssize_t (*real_pwrite64)(int, const void *, size_t, off64_t);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static int (*real_step)(sqlite3_stmt *);
static int (*real_inflate)(z_streamp, int);

__attribute__((constructor)) static void begin(void) {
    *(void **)&real_send = dlsym(RTLD_NEXT, "send");
    *(void **)&real_recv = dlsym(RTLD_NEXT, "recv");
    *(void **)&real_pwrite64 = dlsym(RTLD_NEXT, "pwrite64");
    *(void **)&real_fsync = dlsym(RTLD_NEXT, "fsync");
    *(void **)&real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
    *(void **)&real_step = dlsym(RTLD_NEXT, "sqlite3_step");
    *(void **)&real_inflate = dlsym(RTLD_NEXT, "inflate");
    const char *path = getenv("WIDGETD_FAULT_PAGE");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *mapped = mmap(NULL, sizeof(fault_page), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (mapped != MAP_FAILED) page = mapped;
}

static void pass(enum point point) {
    if (atomic_load(&page->point) == point && atomic_fetch_sub(&page->countdown, 1) == 1) kill(getpid(), SIGKILL);
}

// Whether there is a frame of a method of class basic (AMQP 0-9-1 sections 2.3.5 and 1.8.3).
static bool has_method(const void *bytes, size_t count, uint8_t method) {
    const uint8_t name[] = {0, 60, 0, method};
    const uint8_t *at = bytes, *end = at + count;
    while ((at = memmem(at, (size_t)(end - at), name, sizeof name))) {
        // Before it: the frame's type (1, a method), its channel and its size.
        if (at - (const uint8_t *)bytes >= 7 && at[-7] == 1) return true;
        at++;
    }
    return false;
}

enum { BASIC_PUBLISH = 40, BASIC_ACK = 80 };

// Whether Redis has stored a batch: commit.lua returns {number, {}, {}}, and 0 for one that it has not.
static bool is_commit(const char *bytes, size_t count) {
    return count > 5 && !memcmp(bytes, "*3\r\n:", 5) && bytes[5] != '0';
}

ssize_t send(int socket, const void *bytes, size_t count, int flags) {
    ssize_t sent = real_send(socket, bytes, count, flags);
    if (sent <= 0) return sent;
    pass(AFTER_ANY_CALL);
    if (has_method(bytes, (size_t)sent, BASIC_PUBLISH)) pass(AFTER_PUBLISH);
    if (has_method(bytes, (size_t)sent, BASIC_ACK)) pass(AFTER_ACKNOWLEDGEMENT);
    return sent;
}

ssize_t recv(int socket, void *bytes, size_t count, int flags) {
    ssize_t received = real_recv(socket, bytes, count, flags);
    if (received <= 0) return received;
    pass(AFTER_ANY_CALL);
    if (has_method(bytes, (size_t)received, BASIC_ACK)) pass(AFTER_CONFIRM);
    if (is_commit(bytes, (size_t)received)) pass(AFTER_COMMIT);
    return received;
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
    ssize_t written = real_pwrite64(file, bytes, count, offset);
    pass(AFTER_ANY_CALL);
    return written;
}

static void wait_for_disk(void) {
    int64_t milliseconds = atomic_load(&page->sync_milliseconds);
    struct timespec time = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000};
    if (milliseconds) nanosleep(&time, NULL);
}

int fsync(int file) {
    wait_for_disk();
    int result = real_fsync(file);
    pass(AFTER_ANY_CALL);
    return result;
}

int fdatasync(int file) {
    wait_for_disk();
    int result = real_fdatasync(file);
    pass(AFTER_ANY_CALL);
    return result;
}

int sqlite3_step(sqlite3_stmt *statement) {
    const char *text = sqlite3_sql(statement);
    bool commits = text && !strcmp(text, "COMMIT") &&
                   sqlite3_txn_state(sqlite3_db_handle(statement), NULL) == SQLITE_TXN_WRITE;
    int result = real_step(statement);
    if (commits && result == SQLITE_DONE) pass(AFTER_COMMIT);
    return result;
}

// The call itself: the library's would call us.
int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    if (!result && clock == CLOCK_REALTIME) time->tv_sec += atomic_load(&page->clock_seconds);
    return result;
}

// A message that no worker survives: a compressed one with this word in it.
int inflate(z_streamp stream, int flush) {
    static const char word[] = "end of the process";
    const Bytef *start = stream->next_out;
    int result = real_inflate(stream, flush);
    if (memmem(start, (size_t)(stream->next_out - start), word, sizeof word - 1)) abort();
    return result;
}
