internal import Synchronization
internal import WidgetWorker

/// What the worker wants of the source, left by any thread and taken by the source's.
final class SourceRequests: Sendable {
    struct Wanted {
        /// The newest position; it stands for all before it.
        var acknowledge: DeliveryPosition?
        var cancel = false
        var close = false
        fileprivate var receiverSleeps = false

        fileprivate var isEmpty: Bool { acknowledge == nil && !cancel && !close }
    }

    let wakeUp = WakeUp()
    private let wanted = Mutex(Wanted())

    func acknowledge(_ position: DeliveryPosition) {
        leave { wanted in
            if let known = wanted.acknowledge, !Self.isNewer(position, than: known) { return }
            wanted.acknowledge = position
        }
    }

    func cancel() { leave { $0.cancel = true } }

    func close() { leave { $0.close = true } }

    /// Takes what was left. `close` stays set, so that no later look misses it.
    func take() -> Wanted {
        wanted.withLock { wanted in
            wanted.receiverSleeps = false
            defer {
                wanted.acknowledge = nil
                wanted.cancel = false
            }
            return wanted
        }
    }

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
            return wanted.receiverSleeps && !wanted.isEmpty
        }
        if wake { wakeUp.signal() }
    }

    private static func isNewer(_ position: DeliveryPosition, than known: DeliveryPosition) -> Bool {
        (position.generation, position.tag) > (known.generation, known.tag)
    }
}
