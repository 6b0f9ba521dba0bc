internal import CAMQPShim
internal import WidgetWorker

/// One consuming connection at work.
struct SourceSession {
    /// A quorum queue takes acknowledgements a moment after its channel has: those sent right before a close can be
    /// lost, and their messages delivered again. Milliseconds.
    private static let settling = 300
    private static let farewell = 3_000

    private let connection: Connection
    private let consumers: SourceConsumers
    private let generation: UInt64
    private let requests: SourceRequests
    private let events: Mailbox<WorkerEvent>
    private var reader = DeliveryReader()
    private var acknowledgements: Acknowledgements
    private let gathering: Gathering
    private var acknowledgedAt: Int?
    private var usualCount = 0
    /// What was handed over last, if anything, waits for the worker.
    private var workerIsBusy = false
    private var handedOver: UInt64 = 0
    private(set) var renewal: Renewal?
    var isCancelled = false

    init(
        _ connection: Connection, _ consumers: SourceConsumers, generation: UInt64, requests: SourceRequests,
        events: Mailbox<WorkerEvent>
    ) {
        self.connection = connection
        self.consumers = consumers
        self.generation = generation
        self.requests = requests
        self.events = events
        acknowledgements = Acknowledgements(generation: generation)
        gathering = Gathering(most: consumers.mostInHand)
    }

    /// Works until the source is closed or its connection renewed; throws when the connection, or what it consumes from,
    /// is lost.
    ///
    /// Once cancelled it hands nothing over, yet its consumers stay until the connection ends, and what they were sent
    /// goes back in order. A basic.cancel would cost the order: a quorum queue puts what was on its way to a cancelled
    /// consumer behind newer messages (https://github.com/rabbitmq/rabbitmq-server/issues/3729), and a standby would be
    /// sent newer messages before this one's are back.
    mutating func run() throws(AMQPError) -> SessionEnd {
        while true {
            let wanted = requests.take()
            if let position = wanted.acknowledge { acknowledgements.wish(position) }
            if let addresses = wanted.renewal, !isCancelled {
                renewal = Renewal(addresses, now: MonotonicClock.milliseconds)
            }
            if wanted.cancel && !isCancelled {
                try handOver()
                isCancelled = true
                events.post(.sourceCancelled)
            }
            if wanted.close {
                try close()
                return .closed
            }
            if wanted.reconnect {
                throw AMQPError("consume: the connection is given up for a new one", next: .reconnect)
            }
            let count = try handOver()
            let now = MonotonicClock.milliseconds
            if let renewal, acknowledgements.areWished(upTo: handedOver) || renewal.left(now: now) == 0 {
                try close()
                return .renewal
            }
            if let tag = acknowledgements.due(now: now) { try acknowledge(tag, now) }
            connection.flush()
            let pause = gathering.pause(
                after: count, inHand: acknowledgements.open(upTo: handedOver), workerIsBusy: workerIsBusy)
            let sleep = acknowledgements.sleep(now: now, isBusy: count > 0, stride: pause?.acknowledgements)
            guard requests.maySleep(wakeAtTag: sleep.wakeAtTag) else { continue }
            if let pause {
                connection.pause(wake: requests.wakeUp, milliseconds: pause.milliseconds)
            } else {
                connection.wait(
                    wake: requests.wakeUp,
                    milliseconds: [sleep.milliseconds, renewal?.left(now: now)].compactMap(\.self).min())
            }
        }
    }

    private mutating func acknowledge(_ tag: UInt64, _ now: Int) throws(AMQPError) {
        try connection.acknowledge(tag, multiple: true)
        acknowledgedAt = now
    }

    /// Everything that has arrived, as one event.
    /// - Returns: how many deliveries it had.
    @discardableResult
    private mutating func handOver() throws(AMQPError) -> Int {
        var deliveries: [Delivery] = []
        defer {
            usualCount = deliveries.count
            workerIsBusy = !deliveries.isEmpty && !events.post(.deliveries(deliveries))
        }
        while true {
            let event = unsafe connection.nextEvent()
            switch unsafe event.pointee.kind {
            case CAMQP_EVENT_NONE:
                return deliveries.count
            case CAMQP_EVENT_DELIVERY:
                if isCancelled || renewal != nil { continue }
                handedOver = unsafe event.pointee.tag
                if deliveries.isEmpty { deliveries.reserveCapacity(usualCount + 1) }
                deliveries.append(unsafe reader.read(event, generation: generation))
            case CAMQP_EVENT_CONSUMER_CANCELLED:
                let queue = consumers.queues[unsafe SourceConsumers.number(ofTag: event.pointee.consumer_tag)]
                throw AMQPError(
                    "consume \(queue): the broker has ended the consumer, as it does when the queue is deleted",
                    next: .reconnect)
            case CAMQP_EVENT_CHANNEL_CLOSED, CAMQP_EVENT_CONNECTION_CLOSED, CAMQP_EVENT_FAILED:
                throw connection.loss()
            default:
                break
            }
        }
    }

    /// Tells the worker when nothing that was handed over can come back.
    private mutating func close() throws(AMQPError) {
        let now = MonotonicClock.milliseconds
        if let tag = acknowledgements.rest() { try acknowledge(tag, now) }
        connection.flush()
        if let acknowledgedAt { settle(until: acknowledgedAt + Self.settling) }
        if connection.close(withinMilliseconds: Self.farewell), acknowledgements.areWished(upTo: handedOver) {
            events.post(.sourceClosedInOrder)
        }
    }

    /// Keeps the connection until then. Deliveries that still come go back to the queue with it.
    private func settle(until end: Int) {
        while case let left = end - MonotonicClock.milliseconds, left > 0 {
            connection.wait(wake: nil, milliseconds: left)
            while case let kind = unsafe connection.nextEvent().pointee.kind, kind != CAMQP_EVENT_NONE {
                if kind == CAMQP_EVENT_FAILED || kind == CAMQP_EVENT_CONNECTION_CLOSED { return }
            }
        }
    }
}
