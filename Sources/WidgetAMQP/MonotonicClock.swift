internal import Glibc

/// A clock that nobody sets.
enum MonotonicClock {
    static var milliseconds: Int {
        var now = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        return now.tv_sec * 1000 + now.tv_nsec / 1_000_000
    }
}
