/// How long to wait before the next attempt: exponential, with full jitter, so that many workers that lost the same
/// broker do not come back in step (https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/).
public struct Backoff: Sendable {
    /// Milliseconds.
    public struct Bounds: Sendable, Equatable {
        public var first: Int
        public var longest: Int
        /// Where waiting does not mend the fault: between this and `slowLongest`.
        public var slowFirst: Int
        public var slowLongest: Int

        public init(first: Int = 100, longest: Int = 10_000, slowFirst: Int = 5_000, slowLongest: Int = 30_000) {
            self.first = first
            self.longest = longest
            self.slowFirst = slowFirst
            self.slowLongest = slowLongest
        }
    }

    private let bounds: Bounds
    private let random: @Sendable (ClosedRange<Int>) -> Int
    private var attempts = 0

    /// - Parameter random: a number from the range, each as likely as the others.
    public init(
        _ bounds: Bounds = Bounds(),
        random: @escaping @Sendable (ClosedRange<Int>) -> Int = { Int.random(in: $0) }
    ) {
        self.bounds = bounds
        self.random = random
    }

    /// Milliseconds until the next attempt.
    /// - Parameter slowly: the fault needs somebody to change something.
    public mutating func next(slowly: Bool) -> Int {
        let shift = min(attempts, 20)
        attempts += 1
        if slowly {
            let highest = min(bounds.slowLongest, bounds.slowFirst << shift)
            return random(bounds.slowFirst...max(bounds.slowFirst, highest))
        }
        return random(0...min(bounds.longest, bounds.first << shift))
    }

    /// The last attempt was a lasting success.
    public mutating func reset() {
        attempts = 0
    }
}
