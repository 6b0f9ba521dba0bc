/// What the worker's thread has in hand, kept so that it is known after a crash of the process.
///
/// A crash is a fault of the program itself. A process that is killed, or loses its power, leaves no note: nothing in
/// its hands was the reason.
public protocol CrashNotes: Sendable {
    /// What was in hand at each crash since `clear`, oldest first.
    func crashes() -> [InHand]

    /// The worker's thread has this in hand from now on; called for each message, so it costs a few nanoseconds.
    func hold(_ hand: InHand)

    /// What was in hand at earlier crashes is finished.
    func clear()
}

/// What a thread works on.
public enum InHand: Equatable, Sendable {
    case nothing
    /// A batch as a whole.
    case batch
    /// A message, by its fingerprint.
    case message(Fingerprint)
}

/// For a worker that keeps no notes: a message that crashes it does so whenever it comes back.
public struct NoCrashNotes: CrashNotes {
    public init() {}

    public func crashes() -> [InHand] { [] }
    public func hold(_ hand: InHand) {}
    public func clear() {}
}
