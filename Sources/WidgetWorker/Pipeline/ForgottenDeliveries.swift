/// Which decided deliveries the broker can no longer hand out again.
///
/// AMQP confirms no acknowledgement, and one that is under way when a connection ends may be lost. Yet a broker sends
/// tag T only when it has the acknowledgements up to T less the prefetch. So a batch is forgotten once a delivery so far
/// behind it was acknowledged, too; and batches of earlier connections with the first of this one.
struct ForgottenDeliveries {
    /// Commits up to this number are forgotten.
    private(set) var upTo: Int64 = 0
    /// All deliveries of earlier connections that were to come back have come, and are surely acknowledged.
    private(set) var returnsHaveCome = false
    private let prefetch: UInt64
    /// Acknowledged batches of the present connection, oldest first.
    private var kept: [(number: Int64, lastTag: UInt64, deliveries: [Fingerprint], hadFresh: Bool)] = []

    init(prefetch: Int) {
        self.prefetch = UInt64(prefetch)
    }

    mutating func connectionChanged() {
        kept = []
        returnsHaveCome = false
    }

    /// The connection was closed after everything on it was acknowledged: nothing comes back.
    mutating func closedInOrder() {
        guard let last = kept.last, returnsHaveCome || kept.contains(where: \.hadFresh) else { return }
        upTo = max(upTo, last.number)
    }

    /// A batch of the present connection was acknowledged.
    /// - Parameter hadFresh: it held a delivery that was never handed out before, so all returns have come.
    /// - Returns: the fingerprints of this connection that may be forgotten now.
    mutating func acknowledged(
        _ number: Int64, lastTag: UInt64, _ deliveries: [Fingerprint], hadFresh: Bool
    ) -> [Fingerprint] {
        kept.append((number, lastTag, deliveries, hadFresh))
        var forgotten: [Fingerprint] = []
        while let first = kept.first, first.lastTag + prefetch <= lastTag {
            kept.removeFirst()
            forgotten += first.deliveries
            if first.hadFresh { returnsHaveCome = true }
            if returnsHaveCome { upTo = max(upTo, first.number) }
        }
        return forgotten
    }
}
