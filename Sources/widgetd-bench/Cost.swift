import CYardstick
import Glibc

/// What a piece of work costs this process: CPU time, user and system, and allocations.
struct Cost {
    private(set) var nanoseconds = 0
    private(set) var allocations = 0
    private(set) var messages = 0

    /// Adds the cost of `work` on so many messages. Without `isMeasured` the work is only done: the first time it makes
    /// room and tables for the others.
    mutating func measure<Result>(
        _ count: Int, _ isMeasured: Bool = true, _ work: () throws -> Result
    ) throws -> Result {
        guard isMeasured else { return try work() }
        var result: Swift.Result<Result, any Error>?
        let startTime = Self.cpuNanoseconds()
        let startAllocations = yardstick_allocations()
        withoutActuallyEscaping(work) { work in
            var call: () -> Void = { result = Swift.Result { try work() } }
            unsafe withUnsafeMutablePointer(to: &call) { call in
                unsafe yardstick_measured({ unsafe $0?.assumingMemoryBound(to: (() -> Void).self).pointee() }, call)
            }
        }
        allocations += Int(yardstick_allocations() - startAllocations)
        nanoseconds += Self.cpuNanoseconds() - startTime
        messages += count
        guard let result else { preconditionFailure("the work was not called") }
        return try result.get()
    }

    private static func cpuNanoseconds() -> Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    /// Nanoseconds a message.
    var time: Int { nanoseconds / max(1, messages) }

    /// Allocations a message, with two decimals.
    var allocationText: String {
        let hundredths = allocations * 100 / max(1, messages)
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }
}
