/// Fingerprints of decided deliveries in order, while the broker might hand them out again.
///
/// A queue hands out first, in order, what it took back from a connection that is gone: some last part of what was
/// decided there, then what was not decided yet. So what comes back is held against the end of the ledger as a
/// sequence, not one by one: of equal messages each is told by its place. Those with an id stand in it, too, for the
/// place of their neighbours.
struct DeliveryLedger {
    /// A redelivered message.
    struct Return {
        let fingerprint: Fingerprint
        /// It has an id that nothing was decided under.
        var isUndecided = false
    }

    /// Decided on connections that are gone, also by an earlier process.
    private var earlier: [Fingerprint]
    /// Decided on this connection: the broker does not hand it out again while the connection lasts.
    private var current: [Fingerprint] = []
    /// Where in `earlier` the returns may have begun, as far as they have come; `earlier.count` stands for none of it.
    private var starts: [Int]
    /// Returns held against `earlier`, and those of them that were decided upon.
    private var aligned = 0
    private var answered = 0
    /// A delivery came that was never handed out before, so everything that was to come back has come.
    private var haveReturnsEnded = false

    private let prefetch: Int

    /// - Parameter prefetch: no more deliveries than this can be unacknowledged, and so come back.
    init(_ remembered: [Fingerprint], prefetch: Int) {
        earlier = remembered
        self.prefetch = prefetch
        starts = Array(max(0, remembered.count - prefetch)...remembered.count)
    }

    /// A new connection: what was decided and not forgotten may come back.
    mutating func connectionChanged() {
        self = DeliveryLedger(earlier + current, prefetch: prefetch)
    }

    /// The connection is gone, and everything that was decided on it was acknowledged before. Where returns of an earlier
    /// one were still to come, it counts as any other that is gone: its end says nothing of theirs.
    mutating func connectionClosedInOrder() {
        if haveReturnsEnded || earlier.isEmpty { self = DeliveryLedger([], prefetch: prefetch) }
    }

    /// The next redelivered messages, in order, before any of them is answered for.
    mutating func align(_ returns: [Return]) {
        guard !haveReturnsEnded, !returns.isEmpty else { return }
        starts = starts.filter { start in
            let first = start + aligned
            guard first < earlier.count else { return true }
            return zip(earlier[first...], returns).allSatisfy { $0 == $1.fingerprint && !$1.isUndecided }
        }
        aligned += returns.count
    }

    /// Whether the next delivery was decided before. One that was not counts as decided from now on.
    mutating func wasDecided(_ fingerprint: Fingerprint, redelivered: Bool) -> Bool {
        if !redelivered { haveReturnsEnded = true }
        if redelivered, !haveReturnsEnded {
            let place = (starts.first ?? earlier.count) + answered
            answered += 1
            if place < earlier.count, earlier[place] == fingerprint { return true }
        }
        current.append(fingerprint)
        return false
    }

    /// The broker can no longer hand out again so many deliveries, the oldest of this connection, and with
    /// `returnsHaveCome` all of earlier ones.
    mutating func forget(_ count: Int, returnsHaveCome: Bool) {
        if returnsHaveCome {
            earlier = []
            starts = [0]
        }
        current.removeFirst(min(count, current.count))
    }
}
