import Glibc

/// A moment by which something is over, whatever the wall clock does meanwhile.
struct Deadline {
    private let end: Int

    init(milliseconds: Int) {
        end = Self.now() + milliseconds
    }

    private init(end: Int) {
        self.end = end
    }

    /// Milliseconds left; 0 when it is over.
    var left: Int { max(0, end - Self.now()) }

    /// The sooner of this one and one of its own length.
    func atMost(milliseconds: Int) -> Deadline { Deadline(end: min(end, Self.now() + milliseconds)) }

    /// Monotonic milliseconds.
    static func now() -> Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }
}
