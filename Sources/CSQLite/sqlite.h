#include <sqlite3.h>

/// Here because `sqlite3_config` takes a variable list of arguments, which Swift cannot call. Turns off SQLite's count
/// of the bytes it has allocated, and with it a lock at every allocation. Does nothing once SQLite is in use.
static inline int csqlite_leave_memory_uncounted(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
