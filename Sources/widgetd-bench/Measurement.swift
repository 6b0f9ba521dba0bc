import Glibc

/// CPU time of this process.
struct Measurement {
    private let start = Self.cpuMicroseconds()

    private static func cpuMicroseconds() -> Int {
        var usage = rusage()
        unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let times = [usage.ru_utime, usage.ru_stime]
        return times.reduce(0) { $0 + $1.tv_sec * 1_000_000 + Int($1.tv_usec) }
    }

    /// User and system time since the start.
    var microseconds: Int { Self.cpuMicroseconds() - start }

    /// User and system time since the start, in nanoseconds for each of `count` pieces of work.
    func nanoseconds(perPiece count: Int) -> Int {
        microseconds * 1000 / max(1, count)
    }
}
