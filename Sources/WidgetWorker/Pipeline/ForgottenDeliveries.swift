/// Which decided deliveries the broker can no longer hand out again.
///
/// AMQP confirms no acknowledgement, and one that is under way when a connection ends may be lost. So a batch's
/// deliveries are kept until a later batch was acknowledged, too.
struct ForgottenDeliveries {
    /// Commits up to this number are forgotten.
    private(set) var upTo: Int64 = 0
    private var kept: (number: Int64, deliveries: [Fingerprint])

    /// - Parameter remembered: what an earlier run kept.
    init(remembered: [Fingerprint]) {
        kept = (0, remembered)
    }

    /// - Returns: the fingerprints that may be forgotten now.
    mutating func acknowledged(_ number: Int64, _ deliveries: [Fingerprint]) -> [Fingerprint] {
        let forgettable = kept.deliveries
        upTo = max(upTo, number - 1)
        kept = (number, deliveries)
        return forgettable
    }
}
