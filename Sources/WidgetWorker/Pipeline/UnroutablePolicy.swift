/// What happens to an outcome that the broker confirmed, yet could not route to any queue.
public enum UnroutablePolicy: String, CaseIterable, Sendable {
    /// It stays in the outbox and is published again until it is routed; the worker is not ready meanwhile.
    case keep
    /// It counts as published, with a warning in the log.
    case warn
    /// It counts as published.
    case ignore
}
