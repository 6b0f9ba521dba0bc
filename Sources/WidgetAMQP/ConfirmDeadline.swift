/// Decides when a broker that confirms nothing is given up.
struct ConfirmDeadline {
    /// Milliseconds without any confirm while some are due.
    let limit: Int
    private var since: Int?

    init(limit: Int) {
        self.limit = limit
    }

    /// The state at `now`.
    /// - Parameters:
    ///   - progress: confirms came since the last look.
    ///   - isBlocked: the broker has said that it confirms nothing for the time being.
    /// - Returns: milliseconds left; `nil` when nothing is due, 0 when time is over.
    mutating func left(inFlight: Int, progress: Bool, isBlocked: Bool, now: Int) -> Int? {
        guard inFlight > 0, !isBlocked else {
            since = nil
            return nil
        }
        if progress || since == nil { since = now }
        return max(0, limit - (now - (since ?? now)))
    }
}
