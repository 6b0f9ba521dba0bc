internal import CAMQPShim
internal import WidgetTelemetry
internal import WidgetWorker

/// The source's thread: connect, consume, hand over, and again when that was lost.
struct SourceLoop {
    private let configuration: SourceConfiguration
    private let requests: SourceRequests
    private let events: Mailbox<WorkerEvent>
    private var addresses: [AMQPAddress]
    private var reconnection: Reconnection
    private var generation: UInt64 = 0
    /// The worker wants no more deliveries, ever.
    private var isCancelled = false
    private var hasFoundNoOtherShards = false

    init(_ configuration: SourceConfiguration, _ requests: SourceRequests, _ events: Mailbox<WorkerEvent>) {
        self.configuration = configuration
        self.requests = requests
        self.events = events
        addresses = configuration.addresses
        reconnection = Reconnection(addresses: addresses.count, backoff: configuration.backoff)
    }

    mutating func run() {
        var step = reconnection.begin()
        while true {
            switch step {
            case .connect(let index):
                do {
                    guard try serve(addresses[index]) == .renewal else { return }
                    step = reconnection.begin()
                } catch {
                    report(error)
                    step = reconnection.failed(
                        needsSomebody: error.next == .giveUp, now: MonotonicClock.milliseconds)
                }
            case .wait(let milliseconds):
                guard pause(milliseconds) else { return }
                step = reconnection.begin()
            }
        }
    }

    /// The next connection is to these, and is tried at once.
    private mutating func renew(_ addresses: [AMQPAddress]) {
        self.addresses = addresses
        reconnection = Reconnection(addresses: addresses.count, backoff: configuration.backoff)
    }

    private func report(_ error: AMQPError) {
        if error.next == .giveUp {
            configuration.log.error("the broker refuses the consumer", ["reason": error])
            events.post(.refused(reason: error.description))
        } else {
            configuration.log.warning("the consumer's connection is lost", ["reason": error])
        }
        events.post(.sourceLost(reason: error.description))
    }

    /// Waits without a connection; false when the source is to end. Once cancelled there is nothing to connect for.
    private mutating func pause(_ milliseconds: Int) -> Bool {
        let end = MonotonicClock.milliseconds + milliseconds
        while true {
            let wanted = requests.take()
            if wanted.close { return false }
            if wanted.cancel && !isCancelled {
                isCancelled = true
                events.post(.sourceCancelled)
            }
            if let addresses = wanted.renewal, !isCancelled {
                renew(addresses)
                return true
            }
            let left = end - MonotonicClock.milliseconds
            if left <= 0 && !isCancelled { return true }
            if requests.maySleep() { requests.wakeUp.wait(milliseconds: isCancelled ? 60_000 : left) }
        }
    }

    /// One connection from start to end.
    private mutating func serve(_ address: AMQPAddress) throws(AMQPError) -> SessionEnd {
        let connection = try Connection(to: address, configuration.settings)
        // For when it is the channel that is lost: the broker's log then shows no client that went without a word.
        defer { connection.close(withinMilliseconds: 1_000) }
        configuration.certificateEnds.value = connection.certificateEnds
        try refuseOtherShards(connection)
        try connection.declare(configuration.topology.inbound, configuration.topology.mode)
        let consumers = configuration.consumers
        try consumers.start(on: connection)
        generation += 1
        reconnection.ready(now: MonotonicClock.milliseconds)
        configuration.log.info(
            "consuming",
            ["address": address, "queues": configuration.topology.consumedQueues.joined(separator: " ")])
        events.post(.sourceReady(generation: generation))
        var session = SourceSession(connection, consumers, generation: generation, requests: requests, events: events)
        session.isCancelled = isCancelled
        defer {
            isCancelled = session.isCancelled
            // Also when the connection is lost before its renewal.
            if let renewal = session.renewal { renew(renewal.addresses) }
        }
        return try session.run()
    }

    /// Once: a queue that is deleted while this runs is declared again, whatever the others hold.
    private mutating func refuseOtherShards(_ connection: Connection) throws(AMQPError) {
        guard !hasFoundNoOtherShards else { return }
        if let conflict = try connection.otherShards(than: configuration.topology) { throw conflict }
        hasFoundNoOtherShards = true
    }
}
