/// Which decided deliveries the broker can no longer hand out again.
///
/// AMQP confirms no acknowledgement, and one that is under way when a connection ends may be lost. Yet a broker sends
/// tag T only when it has the acknowledgements up to T less the prefetch. So a batch is forgotten once a delivery so far
/// behind it was acknowledged, too; and batches of earlier connections with the first of this one.
struct ForgottenDeliveries {
    private struct Batch {
        let number: Int64
        let lastTag: UInt64
        let deliveries: [DecidedDelivery]
        let freshQueues: Set<Int>
    }

    /// For each queue: commits up to this number are forgotten.
    private(set) var upTo: [Int64]
    /// For each queue: all deliveries of earlier connections that were to come back have come, and are surely
    /// acknowledged.
    private(set) var returnsHaveCome: [Bool]
    private let prefetch: UInt64
    /// Acknowledged batches of the present connection, oldest first.
    private var kept: [Batch] = []

    /// - Parameter prefetch: how many deliveries can be unacknowledged at once, whatever their queues.
    init(queues: Int = 1, prefetch: Int) {
        self.prefetch = UInt64(prefetch)
        upTo = Array(repeating: 0, count: queues)
        returnsHaveCome = Array(repeating: false, count: queues)
    }

    mutating func connectionChanged() {
        kept = []
        returnsHaveCome = returnsHaveCome.map { _ in false }
    }

    /// The connection was closed after everything on it was acknowledged: nothing comes back.
    mutating func closedInOrder() {
        guard let last = kept.last else { return }
        for queue in upTo.indices
        where returnsHaveCome[queue] || kept.contains(where: { $0.freshQueues.contains(queue) }) {
            upTo[queue] = max(upTo[queue], last.number)
        }
    }

    /// A batch of the present connection was acknowledged.
    /// - Parameter freshQueues: of which it held a delivery that was never handed out before, so that all returns of
    ///   theirs have come.
    /// - Returns: the deliveries of this connection that may be forgotten now.
    mutating func acknowledged(
        _ number: Int64, lastTag: UInt64, _ deliveries: [DecidedDelivery], freshQueues: Set<Int>
    ) -> [DecidedDelivery] {
        kept.append(Batch(number: number, lastTag: lastTag, deliveries: deliveries, freshQueues: freshQueues))
        var forgotten: [DecidedDelivery] = []
        while let first = kept.first, first.lastTag + prefetch <= lastTag {
            kept.removeFirst()
            forgotten += first.deliveries
            for queue in first.freshQueues { returnsHaveCome[queue] = true }
            for queue in upTo.indices where returnsHaveCome[queue] { upTo[queue] = max(upTo[queue], first.number) }
        }
        return forgotten
    }
}
