import Glibc
public import WidgetContract

/// The clocks the worker goes by; tests move theirs by hand.
public struct WorkerClock: Sendable {
    /// Wall time: stamps outcomes and bounds dates.
    public let now: @Sendable () -> Timestamp
    /// Milliseconds that only rise: deadlines and pauses.
    public let monotonicMilliseconds: @Sendable () -> Int

    public init(
        now: @escaping @Sendable () -> Timestamp, monotonicMilliseconds: @escaping @Sendable () -> Int
    ) {
        self.now = now
        self.monotonicMilliseconds = monotonicMilliseconds
    }

    /// The machine's own.
    public static let system = WorkerClock(
        now: {
            let time = read(CLOCK_REALTIME)
            return Timestamp(seconds: Int64(time.tv_sec), nanoseconds: Int32(time.tv_nsec))
        },
        monotonicMilliseconds: {
            let time = read(CLOCK_MONOTONIC)
            return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
        })

    private static func read(_ clock: clockid_t) -> timespec {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return time
    }
}
