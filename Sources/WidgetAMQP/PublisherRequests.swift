internal import Synchronization
internal import WidgetWorker

/// What the worker wants of the publisher, left by any thread and taken by the publisher's.
final class PublisherRequests: Sendable {
    struct Wanted {
        var batches: [NumberedOutcomes] = []
        var close = false
        /// A new connection to these is wanted in place of the present one.
        var renewal: [AMQPAddress]?
        fileprivate var receiverSleeps = false

        fileprivate func needsReceiver(forBatches: Bool) -> Bool {
            close || renewal != nil || forBatches && !batches.isEmpty
        }
    }

    let wakeUp = WakeUp()
    private let wanted = Mutex(Wanted())

    func publish(_ batch: NumberedOutcomes) { leave { $0.batches.append(batch) } }

    func close() { leave { $0.close = true } }

    func renew(_ addresses: [AMQPAddress]) { leave { $0.renewal = addresses } }

    /// Takes what was left. `close` stays set, so that no later look misses it.
    func take() -> Wanted {
        wanted.withLock { wanted in
            wanted.receiverSleeps = false
            defer {
                wanted.batches = []
                wanted.renewal = nil
            }
            return wanted
        }
    }

    /// Takes the wish for a renewal and leaves the rest.
    func takeRenewal() -> [AMQPAddress]? { wanted.withLock { $0.renewal.take() } }

    var isClosing: Bool { wanted.withLock { $0.close } }

    /// Whether the receiver may wait on its socket: nothing is left for it, and the next request will wake it.
    /// - Parameter publishes: batches are something for it, too.
    func maySleep(publishes: Bool = true) -> Bool {
        wanted.withLock { wanted in
            wanted.receiverSleeps = !wanted.needsReceiver(forBatches: publishes)
            return wanted.receiverSleeps
        }
    }

    private func leave(_ request: (inout Wanted) -> Void) {
        let wake = wanted.withLock { wanted in
            request(&wanted)
            defer { wanted.receiverSleeps = false }
            return wanted.receiverSleeps
        }
        if wake { wakeUp.signal() }
    }
}
