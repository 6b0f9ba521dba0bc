internal import Synchronization
internal import WidgetWorker

/// What the worker wants of the publisher, left by any thread and taken by the publisher's.
final class PublisherRequests: Sendable {
    struct Wanted {
        var batches: [NumberedOutcomes] = []
        var close = false
        fileprivate var receiverSleeps = false

        fileprivate var isEmpty: Bool { batches.isEmpty && !close }
    }

    let wakeUp = WakeUp()
    private let wanted = Mutex(Wanted())

    func publish(_ batch: NumberedOutcomes) { leave { $0.batches.append(batch) } }

    func close() { leave { $0.close = true } }

    /// Takes what was left. `close` stays set, so that no later look misses it.
    func take() -> Wanted {
        wanted.withLock { wanted in
            wanted.receiverSleeps = false
            defer { wanted.batches = [] }
            return wanted
        }
    }

    var isClosing: Bool { wanted.withLock { $0.close } }

    /// Whether the receiver may wait on its socket: nothing is left for it, and the next request will wake it.
    func maySleep() -> Bool {
        wanted.withLock { wanted in
            wanted.receiverSleeps = wanted.isEmpty
            return wanted.isEmpty
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
