import WidgetAdmin
import WidgetContract
import WidgetWorker

/// What a worker counts of its batches and tells the admin address, which nobody asks.
final class Observation {
    private var measures = WorkerMeasures()
    private let observers: [any WorkerObserver]

    init() {
        guard let address = AdminAddress("127.0.0.1:0") else { preconditionFailure("this is an address") }
        let server = AdminServer(
            AdminServer.Configuration(
                address: address, token: nil, version: "", guarantees: [],
                limits: MessageLimits()), openReader: nil)
        observers = server.observers
    }

    /// - Parameter work: decides a batch, and is given what counts its verdicts.
    func observe(_ work: ((Message, Verdict) -> Void) throws -> StoreChanges) rethrows -> StoreChanges {
        // As the worker does: counts of a batch that is decided again are dropped.
        var counts = measures
        let changes = try work { counts.count($0, $1) }
        measures = counts
        for observer in observers {
            observer.stored(changes.outcomes)
            observer.turned(measures)
        }
        return changes
    }
}
