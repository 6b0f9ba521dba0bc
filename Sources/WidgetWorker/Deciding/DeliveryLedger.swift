/// Fingerprints of decided deliveries that no id identifies, while the broker might hand them out again: what comes
/// back redelivered and was decided on an earlier connection has its outcome already.
///
/// A queue hands out first, in order, what it took back from an earlier connection. So the first delivery that is not
/// marked redelivered ends the search: everything that was to come back has come.
struct DeliveryLedger {
    /// Decided on connections that are gone, also by an earlier process.
    private var earlier: Tally
    /// Decided on this connection: the broker does not hand it out again while the connection lasts.
    private var current = Tally()

    init(_ remembered: [Fingerprint]) {
        earlier = Tally()
        for fingerprint in remembered { earlier.add(fingerprint) }
    }

    /// A new connection: what was decided and not forgotten may come back.
    mutating func connectionChanged() {
        earlier.add(current)
        current = Tally()
    }

    /// Whether a delivery was decided before; either way it counts as decided on this connection from now on.
    mutating func wasDecided(_ fingerprint: Fingerprint, redelivered: Bool) -> Bool {
        if !redelivered { earlier = Tally() }
        let wasDecided = redelivered && earlier.take(fingerprint)
        current.add(fingerprint)
        return wasDecided
    }

    /// Deliveries of this connection whose acknowledgement has surely arrived.
    mutating func forget(_ fingerprints: [Fingerprint]) {
        for fingerprint in fingerprints { _ = current.take(fingerprint) }
    }

    /// How often each fingerprint is there.
    private struct Tally {
        private var counts: [Fingerprint: Int] = [:]

        mutating func add(_ fingerprint: Fingerprint) {
            counts[fingerprint, default: 0] += 1
        }

        mutating func add(_ other: Tally) {
            counts.merge(other.counts, uniquingKeysWith: +)
        }

        mutating func take(_ fingerprint: Fingerprint) -> Bool {
            guard let count = counts[fingerprint] else { return false }
            counts[fingerprint] = count > 1 ? count - 1 : nil
            return true
        }
    }
}
