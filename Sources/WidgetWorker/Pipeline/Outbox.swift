/// Outcomes that are stored and not settled: on their way for the first time, published again after a restart, or
/// waiting because they reached no queue.
struct Outbox {
    /// Batches that may wait for confirms while the next is decided and stored.
    private static let mostInFlight = 4
    /// Outcomes that reached no queue are published again after this pause.
    private static let unroutablePauseMilliseconds = 2_000

    private let policy: UnroutablePolicy
    private var inFlight = InFlight()
    /// Batches of an earlier run, and what of a batch reached no queue, at the publisher again.
    private var replayed: [Int64: OutcomeBatch] = [:]
    /// Soonest first, monotonic milliseconds.
    private var waiting: [(batch: NumberedOutcomes, due: Int)] = []
    /// How many outcomes of each batch reached no queue when they were last published.
    private var unroutedCounts: [Int64: Int] = [:]
    /// When batches whose confirms are awaited went to the publisher, monotonic nanoseconds.
    private var publishedAt: [Int64: Int] = [:]
    /// Batches that are done with, and the store does not know it yet.
    private(set) var settled: [Int64] = []

    init(policy: UnroutablePolicy) {
        self.policy = policy
    }

    /// No further batch may be published before one is confirmed.
    var isFull: Bool { inFlight.count >= Self.mostInFlight }
    /// All that was decided in this run is confirmed and handed on.
    var isEmpty: Bool { inFlight.isEmpty }
    var batches: Int { inFlight.count + replayed.count + waiting.count }
    /// Outcomes that reach no queue.
    var unrouted: Int { unroutedCounts.values.reduce(0, +) }
    /// When something is to be published again, monotonic milliseconds.
    var nextRepublication: Int? { waiting.first?.due }

    /// Whether a batch is here already.
    func holds(_ number: Int64) -> Bool {
        inFlight.holds(number) || replayed[number] != nil || settled.contains(number)
            || waiting.contains { $0.batch.number == number }
    }

    /// Publishes what an earlier run, or another worker, left.
    mutating func replay(_ batch: NumberedOutcomes, by publisher: any OutcomePublisher) {
        replayed[batch.number] = batch.outcomes
        publisher.publish(batch)
    }

    /// - Parameter now: monotonic nanoseconds.
    mutating func add(_ stage: consuming Stored, publishingBy publisher: any OutcomePublisher, at now: Int) {
        if !stage.batch.outcomes.isEmpty { publishedAt[stage.batch.number] = now }
        inFlight.add(stage, publishingBy: publisher)
    }

    /// Notes a batch's confirmations.
    /// - Parameter now: monotonic nanoseconds.
    /// - Returns: how long they took, for a batch that is published for the first time; `nil` else.
    mutating func confirm(_ confirmations: Confirmations, at now: Int) -> Int? {
        let number = confirmations.batch
        guard let outcomes = inFlight.confirm(confirmations) ?? replayed.removeValue(forKey: number) else { return nil }
        if confirmations.unroutable.isEmpty || policy != .keep {
            unroutedCounts[number] = nil
            settled.append(number)
        } else {
            unroutedCounts[number] = confirmations.unroutable.count
            let kept = NumberedOutcomes(number: number, outcomes: outcomes.picking(confirmations.unroutable))
            waiting.append((kept, now / 1_000_000 + Self.unroutablePauseMilliseconds))
        }
        return publishedAt.removeValue(forKey: number).map { now - $0 }
    }

    /// - Parameter now: monotonic milliseconds.
    mutating func republish(at now: Int, by publisher: any OutcomePublisher) {
        for (batch, due) in waiting where due <= now { replay(batch, by: publisher) }
        waiting.removeAll { $0.due <= now }
    }

    /// The oldest batch, when it is published.
    mutating func next() -> Published? { inFlight.next() }

    /// The store knows that the first so many are settled; others may have come while it was in trouble.
    mutating func settledAreStored(_ count: Int) {
        settled.removeFirst(count)
    }
}
