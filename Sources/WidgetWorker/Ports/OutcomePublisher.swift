/// Where outcomes go. It owns its connection and thread and keeps a batch until the broker has confirmed all of it:
/// after a reconnect it publishes again, in order, what was not confirmed.
public protocol OutcomePublisher: Sendable {
    /// Connects and declares the topology. Changes of state and confirmations arrive in `events`.
    func start(reportingTo events: Mailbox<WorkerEvent>)

    /// Publishes the batch after all earlier ones, mandatory and with confirms; `.published` follows when every
    /// outcome in it is confirmed. A nacked outcome is published again, after a pause.
    func publish(_ batch: NumberedOutcomes)

    /// Closes the connection in order and ends the thread; returns when it has ended.
    func close()
}

/// Outcomes under the number of the store's commit that holds them.
public struct NumberedOutcomes: Equatable, Sendable {
    public let number: Int64
    public let outcomes: OutcomeBatch

    public init(number: Int64, outcomes: OutcomeBatch) {
        self.number = number
        self.outcomes = outcomes
    }
}

/// The broker's word for a whole batch: every outcome was confirmed.
public struct Confirmations: Sendable {
    /// The batch's number.
    public let batch: Int64
    /// Positions in the batch of outcomes that the broker confirmed, yet could not route to any queue.
    public let unroutable: [Int]

    package init(batch: Int64, unroutable: [Int]) {
        self.batch = batch
        self.unroutable = unroutable
    }
}
