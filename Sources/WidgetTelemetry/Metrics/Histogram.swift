/// Observations counted by size, as Prometheus wants them: how many are at most each bound, and their sum.
public struct Histogram: Sendable {
    /// Upper bounds, rising; one more bucket takes what is above them all.
    public let bounds: [Double]
    /// How many fell into each bucket, not into those below it.
    public private(set) var counts: [Int]
    public private(set) var sum = 0.0

    public init(bounds: [Double]) {
        self.bounds = bounds
        counts = Array(repeating: 0, count: bounds.count + 1)
    }

    public mutating func observe(_ value: Double) {
        // Few bounds, and most values are small: a walk is the fastest search.
        var bucket = 0
        while bucket < bounds.count && value > bounds[bucket] { bucket += 1 }
        counts[bucket] += 1
        sum += value
    }

    public var count: Int { counts.reduce(0, +) }

    /// Seconds, from 100 µs to 10 s.
    public static let seconds: [Double] = [
        0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]
    /// Ages of messages in seconds, from 10 ms to a day.
    public static let ages: [Double] = [0.01, 0.1, 1, 5, 15, 60, 300, 900, 3_600, 21_600, 86_400]
    /// Sizes of batches.
    public static let sizes: [Double] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000]
}
