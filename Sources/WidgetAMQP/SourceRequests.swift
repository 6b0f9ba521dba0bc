internal import Synchronization
internal import WidgetWorker

/// What the worker wants of the source, left by any thread and taken by the source's.
final class SourceRequests: Sendable {
    struct Wanted {
        /// The newest position; it stands for all before it.
        var acknowledge: DeliveryPosition?
        var cancel = false
        var reconnect = false
        var close = false
        /// A new connection to these is wanted in place of the present one.
        var renewal: [AMQPAddress]?
        fileprivate var receiverSleeps = false
        fileprivate var wakeAtTag: UInt64 = 0

        fileprivate var needsReceiver: Bool {
            cancel || reconnect || close || renewal != nil || (acknowledge.map { $0.tag >= wakeAtTag } ?? false)
        }
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

    func reconnect() { leave { $0.reconnect = true } }

    func close() { leave { $0.close = true } }

    func renew(_ addresses: [AMQPAddress]) { leave { $0.renewal = addresses } }

    /// Takes what was left. `close` stays set, so that no later look misses it.
    func take() -> Wanted {
        wanted.withLock { wanted in
            wanted.receiverSleeps = false
            defer {
                wanted.acknowledge = nil
                wanted.cancel = false
                wanted.reconnect = false
                wanted.renewal = nil
            }
            return wanted
        }
    }

    /// Whether the receiver may wait on its socket: nothing needs it now, and what does will wake it.
    /// - Parameter wakeAtTag: acknowledgements below it may lie.
    func maySleep(wakeAtTag: UInt64 = 0) -> Bool {
        wanted.withLock { wanted in
            wanted.wakeAtTag = wakeAtTag
            wanted.receiverSleeps = !wanted.needsReceiver
            return wanted.receiverSleeps
        }
    }

    private func leave(_ request: (inout Wanted) -> Void) {
        let wake = wanted.withLock { wanted in
            request(&wanted)
            guard wanted.receiverSleeps && wanted.needsReceiver else { return false }
            wanted.receiverSleeps = false
            return true
        }
        if wake { wakeUp.signal() }
    }

    private static func isNewer(_ position: DeliveryPosition, than known: DeliveryPosition) -> Bool {
        (position.generation, position.tag) > (known.generation, known.tag)
    }
}
