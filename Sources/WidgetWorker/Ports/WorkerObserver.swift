/// Whoever wants to know how the worker fares: a service manager, a status page. Called on the worker's thread, so
/// every method returns at once.
public protocol WorkerObserver: Sendable {
    /// The worker is ready, or no longer, or not for another reason.
    func changed(_ readiness: Readiness)

    /// The worker's loop went round once more: it does so at least once a second, whatever the broker and the store do.
    func turned(_ measures: WorkerMeasures)

    /// A batch is stored, and on its way to the broker.
    func stored(_ outcomes: OutcomeBatch)
}
