import Synchronization

/// Tells the first time from all later ones, on any thread.
final class FirstTime: Sendable {
    private let isOver = Atomic(false)

    /// True once.
    func take() -> Bool { !isOver.exchange(true, ordering: .relaxed) }
}
