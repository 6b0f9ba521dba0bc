import Synchronization
public import WidgetWorker

/// A source with a queue of its own: it hands out what a test tells it to, and keeps what is not acknowledged.
public final class FakeDeliverySource: DeliverySource {
    private struct State {
        var events: Mailbox<WorkerEvent>?
        var generation: UInt64 = 0
        var isConnected = false
        var lastTag: UInt64 = 0
        var held: [Delivery] = []
        var returned: [Delivery] = []
        var acknowledged: [DeliveryPosition] = []
        var dropped: [DeliveryPosition] = []
    }

    private let calls: PortCalls
    private let cancelsAtOnce: Bool
    private let state = Mutex(State())

    /// - Parameter cancelsAtOnce: a cancel is answered at once, else when `confirmCancel` is called.
    public init(calls: PortCalls = PortCalls(), cancelsAtOnce: Bool = true) {
        self.calls = calls
        self.cancelsAtOnce = cancelsAtOnce
    }

    // MARK: What a test does

    /// Consumes on a new connection: tags start again, and what was not acknowledged is back in the queue.
    public func connect() {
        state.withLock { state in
            state.generation += 1
            state.isConnected = true
            state.lastTag = 0
            state.returned.append(contentsOf: state.held)
            state.held = []
            state.events?.post(.sourceReady(generation: state.generation))
        }
    }

    /// Loses the connection; an acknowledgement is dropped until the next one.
    public func lose(reason: String = "the connection broke") {
        state.withLock { state in
            state.isConnected = false
            state.events?.post(.sourceLost(reason: reason))
        }
    }

    /// Ends the connection, on which everything is acknowledged.
    public func closeInOrder() {
        state.withLock { state in
            state.isConnected = false
            state.events?.post(.sourceClosedInOrder)
        }
    }

    /// Hands out messages under the next tags, in one event.
    public func deliver(_ messages: [Message], from queue: Int = 0, redelivered: Bool = false) {
        deliver(messages.map { ($0, queue) }, redelivered: redelivered)
    }

    private func deliver(_ messages: [(message: Message, queue: Int)], redelivered: Bool) {
        state.withLock { state in
            var deliveries: [Delivery] = []
            for (message, queue) in messages {
                state.lastTag += 1
                let position = DeliveryPosition(generation: state.generation, tag: state.lastTag)
                deliveries.append(
                    Delivery(position: position, queue: queue, redelivered: redelivered, message: message))
            }
            state.held.append(contentsOf: deliveries)
            state.events?.post(.deliveries(deliveries))
        }
    }

    /// Hands out again what an earlier connection did not see acknowledged.
    public func redeliver() {
        let returned = state.withLock { state in
            defer { state.returned = [] }
            return state.returned
        }
        deliver(returned.map { ($0.message, $0.queue) }, redelivered: true)
    }

    /// Answers a cancel.
    public func confirmCancel() {
        state.withLock { $0.events }?.post(.sourceCancelled)
    }

    // MARK: What a test looks at

    /// It was started and has a connection.
    public var isConnected: Bool { state.withLock { $0.isConnected } }

    /// Acknowledgements that reached the connection of their delivery.
    public var acknowledged: [DeliveryPosition] { state.withLock { $0.acknowledged } }

    /// Acknowledgements whose connection was gone.
    public var dropped: [DeliveryPosition] { state.withLock { $0.dropped } }

    /// Tags of this connection that were handed out and not acknowledged.
    public var unacknowledgedTags: [UInt64] { state.withLock { $0.held.map(\.position.tag) } }

    // MARK: What a worker does

    public func start(reportingTo events: Mailbox<WorkerEvent>) {
        state.withLock { $0.events = events }
        connect()
    }

    public func acknowledge(upTo position: DeliveryPosition) {
        state.withLock { state in
            guard state.isConnected && position.generation == state.generation else {
                state.dropped.append(position)
                return
            }
            state.acknowledged.append(position)
            state.held.removeAll { $0.position.tag <= position.tag }
            calls.record(.acknowledged(position))
        }
    }

    public func reconnect() {
        lose(reason: "asked to")
        connect()
    }

    public func cancel() {
        calls.record(.cancelled)
        if cancelsAtOnce { confirmCancel() }
    }

    public func close() {
        calls.record(.sourceClosed)
    }
}
