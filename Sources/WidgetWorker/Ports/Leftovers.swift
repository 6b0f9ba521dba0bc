/// What earlier consumers of a queue left unfinished.
public struct QueueLeftovers: Sendable {
    /// Batches whose outcomes are not settled, oldest first: to be published before anything newer of the queue.
    public var outcomes: [NumberedOutcomes] = []
    /// Fingerprints of the deliveries that were decided and not forgotten, oldest first.
    public var deliveries: [Fingerprint] = []

    public init(outcomes: [NumberedOutcomes] = [], deliveries: [Fingerprint] = []) {
        self.outcomes = outcomes
        self.deliveries = deliveries
    }
}

/// What workers that are gone left unfinished.
public struct AbandonedWork: Sendable {
    /// Batches whose outcomes are not settled, oldest first.
    public var outcomes: [NumberedOutcomes] = []
    /// Fan-outs whose window has ended some time ago: nobody else serves them for now.
    public var pushes: [PendingPush] = []

    public init(outcomes: [NumberedOutcomes] = [], pushes: [PendingPush] = []) {
        self.outcomes = outcomes
        self.pushes = pushes
    }
}
