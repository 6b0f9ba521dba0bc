import Glibc
public import WidgetTime

/// The clocks the worker goes by; tests move theirs by hand.
public struct WorkerClock: Sendable {
    /// Wall time: stamps outcomes and bounds dates.
    public let now: @Sendable () -> Timestamp
    /// Nanoseconds that only rise: deadlines, pauses, and how long things take.
    public let monotonicNanoseconds: @Sendable () -> Int

    public init(
        now: @escaping @Sendable () -> Timestamp, monotonicNanoseconds: @escaping @Sendable () -> Int
    ) {
        self.now = now
        self.monotonicNanoseconds = monotonicNanoseconds
    }

    public func monotonicMilliseconds() -> Int { monotonicNanoseconds() / 1_000_000 }

    /// The machine's own.
    public static let system = WorkerClock(
        now: {
            let time = read(CLOCK_REALTIME)
            return Timestamp(seconds: Int64(time.tv_sec), nanoseconds: Int32(time.tv_nsec))
        },
        monotonicNanoseconds: {
            let time = read(CLOCK_MONOTONIC)
            return time.tv_sec * 1_000_000_000 + time.tv_nsec
        })

    private static func read(_ clock: clockid_t) -> timespec {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return time
    }
}
