/// A `DeliveryLedger` for each queue: what comes back of one says nothing about another.
struct DeliveryLedgers {
    /// `nil` where nothing that comes back is recognised by its place.
    private var ledgers: [DeliveryLedger?]
    private let prefetch: Int

    /// - Parameters:
    ///   - queues: how many there are.
    ///   - prefetch: how many deliveries can be unacknowledged at once.
    init(queues: Int, prefetch: Int) {
        self.prefetch = prefetch
        ledgers = Array(repeating: nil, count: queues)
    }

    /// Recognises deliveries of a queue from now on, with those that were decided before.
    mutating func begin(queue: Int, remembered: [Fingerprint]) {
        ledgers[queue] = DeliveryLedger(remembered, prefetch: prefetch)
    }

    func recognises(queue: Int) -> Bool { ledgers[queue] != nil }

    mutating func connectionChanged() {
        for queue in ledgers.indices { ledgers[queue]?.connectionChanged() }
    }

    mutating func connectionClosedInOrder() {
        for queue in ledgers.indices { ledgers[queue]?.connectionClosedInOrder() }
    }

    /// The redelivered messages of a batch, in order, before any of them is answered for.
    mutating func align(_ returns: [(queue: Int, delivery: DeliveryLedger.Return)]) {
        guard !returns.isEmpty else { return }
        for queue in ledgers.indices {
            ledgers[queue]?.align(returns.filter { $0.queue == queue }.map(\.delivery))
        }
    }

    /// Whether a delivery was decided before, as far as its place among those that come back tells.
    mutating func wasDecided(_ fingerprint: Fingerprint, queue: Int, redelivered: Bool) -> Bool {
        ledgers[queue]?.wasDecided(fingerprint, redelivered: redelivered) ?? false
    }

    /// - Parameter returnsHaveCome: for each queue, that nothing of earlier connections is to come back any more.
    mutating func forget(_ deliveries: [DecidedDelivery], returnsHaveCome: [Bool]) {
        for queue in ledgers.indices {
            ledgers[queue]?.forget(
                deliveries.count { $0.queue == queue }, returnsHaveCome: returnsHaveCome[queue])
        }
    }
}
