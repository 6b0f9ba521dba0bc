/// Fingerprints of decided deliveries that no id identifies, while the broker might hand them out again: what comes
/// back redelivered and stands here was decided already.
struct DeliveryLedger {
    private var counts: [Fingerprint: Int]

    init(_ remembered: [Fingerprint]) {
        counts = [:]
        for fingerprint in remembered { counts[fingerprint, default: 0] += 1 }
    }

    mutating func remember(_ fingerprint: Fingerprint) {
        counts[fingerprint, default: 0] += 1
    }

    /// Takes one delivery of that fingerprint out.
    /// - Returns: whether there was one.
    mutating func take(_ fingerprint: Fingerprint) -> Bool {
        guard let count = counts[fingerprint] else { return false }
        counts[fingerprint] = count > 1 ? count - 1 : nil
        return true
    }

    mutating func forget(_ fingerprints: [Fingerprint]) {
        for fingerprint in fingerprints { _ = take(fingerprint) }
    }
}
