/// The length of time for which ids are remembered, told in generations of half a window.
package struct DedupeWindow {
    /// Milliseconds; at least 1.
    private let generation: Int64

    package init(_ window: Duration) {
        let (seconds, attoseconds) = window.components
        let milliseconds = min(max(seconds, 0), 1 << 40) * 1000 + max(attoseconds, 0) / 1_000_000_000_000_000
        generation = max(1, (milliseconds + 1) / 2)
    }

    /// The moment at which what was decided at `now` ends: at least a window later, at most half as long again, and
    /// the same for all that was decided in one generation. Both in milliseconds since 1970.
    package func end(ofEntriesFrom now: Int64) -> Int64 {
        let (quotient, remainder) = now.quotientAndRemainder(dividingBy: generation)
        return (quotient - (remainder < 0 ? 1 : 0) + 3) * generation
    }

    /// How many ended entries a commit deletes: more than it adds, so that they become fewer, yet no more than make
    /// one commit slow.
    package static func expiryLimit(afterAdding added: Int) -> Int { 128 + 2 * added }
}
