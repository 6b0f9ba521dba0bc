import WidgetContract

/// A batch's way through the worker, in types: `Intake → Decided → Stored → Published → acknowledged`.
///
/// Each stage is consumed by the one step that leads on, and each step asks for what only the work itself yields: a
/// store's `Commit`, a publisher's `Confirmations`. A stage that is dropped on the way leaves its deliveries
/// unacknowledged; they come back and are recognised.

/// Deliveries of one connection, in order, at least one.
struct Intake: ~Copyable {
    private let deliveries: [Delivery]
    private let isQuarantined: Bool
    private let last: DeliveryPosition

    /// - Parameter isQuarantined: they are refused unread.
    init?(_ deliveries: [Delivery], isQuarantined: Bool = false) {
        guard let last = deliveries.last?.position else { return nil }
        self.isQuarantined = isQuarantined
        self.deliveries = deliveries
        self.last = last
    }

    /// Of the connection that gave the deliveries.
    var generation: UInt64 { last.generation }
    var count: Int { deliveries.count }
    /// The queues of the deliveries.
    var queues: Set<Int> { Self.queues(of: deliveries) { _ in true } }

    /// Decides all of them with the help of what the store has.
    /// - Throws: `StoreError`; the intake stands as it was.
    borrowing func changes(
        by decider: inout BatchDecider, clock: WorkerClock, steadyNow: Int64, store: any WidgetStore,
        observe: (_ message: Message, _ verdict: Verdict) -> Void
    ) throws -> StoreChanges {
        let now = clock.now()
        return try decider.decide(
            deliveries, now: { _ in now }, steadyNow: steadyNow, quarantined: isQuarantined, store: store,
            each: { message, verdict, widget, outcomes in
                OutcomeWriter.write(verdict, of: message, widget, to: &outcomes)
                observe(message, verdict)
            })
    }

    consuming func decided(_ changes: StoreChanges) -> Decided {
        Decided(changes: changes, freshQueues: Self.queues(of: deliveries) { !$0.redelivered }, last: last)
    }

    private static func queues(of deliveries: [Delivery], where isCounted: (Delivery) -> Bool) -> Set<Int> {
        var queues: Set<Int> = []
        var latest = -1
        for delivery in deliveries where delivery.queue != latest && isCounted(delivery) {
            latest = delivery.queue
            queues.insert(latest)
        }
        return queues
    }
}

/// Decisions that are nowhere but in memory.
struct Decided: ~Copyable {
    private let changes: StoreChanges
    fileprivate let freshQueues: Set<Int>
    fileprivate let last: DeliveryPosition?

    fileprivate init(changes: StoreChanges, freshQueues: Set<Int>, last: DeliveryPosition?) {
        self.changes = changes
        self.freshQueues = freshQueues
        self.last = last
    }

    /// Fan-outs at the end of their windows: no delivery waits for them.
    init(pushes changes: StoreChanges) {
        self.init(changes: changes, freshQueues: [], last: nil)
    }

    consuming func stored(by commit: Commit) -> Stored {
        Stored(
            batch: NumberedOutcomes(number: commit.number, outcomes: changes.outcomes),
            deliveries: changes.deliveries, freshQueues: freshQueues, last: last)
    }
}

/// Durable decisions whose outcomes are to be published.
struct Stored: ~Copyable {
    let batch: NumberedOutcomes
    fileprivate let deliveries: [DecidedDelivery]
    fileprivate let freshQueues: Set<Int>
    fileprivate let last: DeliveryPosition?

    /// - Precondition: the confirmations are this batch's.
    consuming func published(by confirmations: Confirmations) -> Published {
        precondition(confirmations.batch == batch.number)
        return Published(number: batch.number, deliveries: deliveries, freshQueues: freshQueues, last: last)
    }
}

/// Outcomes that the broker has confirmed.
struct Published: ~Copyable {
    let number: Int64
    /// They may be forgotten once the acknowledgement has surely arrived.
    let deliveries: [DecidedDelivery]
    /// Queues of which one of them was never handed out before.
    let freshQueues: Set<Int>
    /// `nil` when there were no deliveries.
    let last: DeliveryPosition?

    /// Batches are acknowledged in their order, so everything before the last delivery is finished, too.
    consuming func acknowledge(to source: any DeliverySource) {
        if let last { source.acknowledge(upTo: last) }
    }
}
