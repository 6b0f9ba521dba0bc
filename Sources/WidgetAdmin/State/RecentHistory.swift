import WidgetWorker

/// The counts of the last minutes, a sample a second: enough to draw rates from, whoever looked meanwhile.
struct RecentHistory {
    /// Counts since the worker's start.
    struct Sample {
        /// Milliseconds since 1970.
        let at: Int64
        let measures: WorkerMeasures
    }

    private static let millisecondsBetween = 1_000
    private static let mostSamples = 300

    private(set) var samples: [Sample] = []
    private var sampledAt = Int.min / 2

    /// - Parameters:
    ///   - now: monotonic milliseconds.
    ///   - wallNow: milliseconds since 1970; asked for only when a sample is taken.
    mutating func add(_ measures: WorkerMeasures, now: Int, wallNow: () -> Int64) {
        guard now - sampledAt >= Self.millisecondsBetween else { return }
        sampledAt = now
        if samples.count == Self.mostSamples { samples.removeFirst() }
        samples.append(Sample(at: wallNow(), measures: measures))
    }
}
