/// Decides how long a source leaves arriving deliveries alone, so that they reach the worker in larger pieces: each
/// piece costs calls and wake-ups on both threads, and each batch a transaction.
struct Gathering {
    struct Pause: Equatable {
        var milliseconds: Int
        /// The pause ends early once so many more may be acknowledged; `nil` for as many as usual.
        var acknowledgements: UInt64?
    }

    /// While the worker is at a batch, a fraction of what one takes.
    static let besideWork = Pause(milliseconds: 2, acknowledgements: nil)
    /// The longest pause, in a backlog.
    static let inBacklog = 6

    /// Deliveries in hand at most.
    let most: UInt64

    /// What follows upon reading all that has come.
    /// - Parameters:
    ///   - count: how many deliveries it was.
    ///   - inHand: how many are not acknowledged now.
    ///   - workerIsBusy: they wait for it.
    /// - Returns: `nil` to wait for the next one.
    func pause(after count: Int, inHand: UInt64, workerIsBusy: Bool) -> Pause? {
        guard count > 0 else { return nil }
        // With half of what may be in hand there is a backlog, in which nothing is late by a few milliseconds.
        if inHand >= most / 2 && most > 1 {
            return Pause(milliseconds: Self.inBacklog, acknowledgements: max(1, most / 4))
        }
        return workerIsBusy ? Self.besideWork : nil
    }
}
