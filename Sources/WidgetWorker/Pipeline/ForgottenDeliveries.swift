/// Which decided deliveries the broker can no longer hand out again.
///
/// AMQP confirms no acknowledgement, and one that is under way when a connection ends may be lost. So a batch's
/// deliveries are kept until a later batch of the same connection was acknowledged, too; and those of earlier
/// connections until everything that was to come back has come.
struct ForgottenDeliveries {
    /// Commits up to this number are forgotten.
    private(set) var upTo: Int64 = 0
    private var kept: [Fingerprint] = []
    /// Deliveries of an earlier connection may still come back.
    private var awaitsReturns = true

    mutating func connectionChanged() {
        kept = []
        awaitsReturns = true
    }

    /// A batch of the present connection was acknowledged.
    /// - Parameter hadFresh: it held a delivery that was never handed out before, so all returns have come.
    /// - Returns: the fingerprints of this connection that may be forgotten now.
    mutating func acknowledged(_ number: Int64, _ deliveries: [Fingerprint], hadFresh: Bool) -> [Fingerprint] {
        if hadFresh { awaitsReturns = false }
        if !awaitsReturns { upTo = max(upTo, number - 1) }
        defer { kept = deliveries }
        return kept
    }
}
