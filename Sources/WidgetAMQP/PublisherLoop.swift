internal import CAMQPShim
internal import WidgetTelemetry
internal import WidgetWorker

/// The publisher's thread: connect, publish, and again when that was lost. What is not confirmed outlives connections.
struct PublisherLoop {
    private let configuration: PublisherConfiguration
    private let requests: PublisherRequests
    private let events: Mailbox<WorkerEvent>
    private var addresses: [AMQPAddress]
    private var reconnection: Reconnection
    private var ledger = ConfirmLedger()
    private var outcomes = OutcomeQueue()
    private let publication: OutcomePublication

    init(_ configuration: PublisherConfiguration, _ requests: PublisherRequests, _ events: Mailbox<WorkerEvent>) {
        self.configuration = configuration
        self.requests = requests
        self.events = events
        addresses = configuration.addresses
        reconnection = Reconnection(addresses: addresses.count, backoff: configuration.backoff)
        publication = OutcomePublication(configuration.topology)
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
            configuration.log.error("the broker refuses the publisher", ["reason": error])
            events.post(.refused(reason: error.description))
        } else {
            configuration.log.warning("the publisher's connection is lost", ["reason": error])
        }
        events.post(.publisherLost(reason: error.description))
    }

    /// Waits without a connection; false when the publisher is to end. Batches stay where they were left.
    private mutating func pause(_ milliseconds: Int) -> Bool {
        let end = MonotonicClock.milliseconds + milliseconds
        while case let left = end - MonotonicClock.milliseconds, left > 0 {
            if requests.isClosing { return false }
            if let addresses = requests.takeRenewal() {
                renew(addresses)
                return true
            }
            if requests.maySleep(publishes: false) { requests.wakeUp.wait(milliseconds: left) }
        }
        return !requests.isClosing
    }

    /// One connection from start to end.
    private mutating func serve(_ address: AMQPAddress) throws(AMQPError) -> SessionEnd {
        let connection = try Connection(to: address, configuration.settings)
        // For when it is a channel that is lost: the broker's log then shows no client that went without a word.
        defer { connection.close(withinMilliseconds: 1_000) }
        try connection.declare(configuration.topology.outbound, configuration.topology.mode)
        let wanted = PublisherChannels.wanted(for: configuration.topology.queueType)
        let channels = PublisherChannels(count: try connection.selectConfirms(channels: wanted))
        ledger.connected(channels: channels.count)
        reconnection.ready(now: MonotonicClock.milliseconds)
        configuration.log.info("publishing", ["address": address])
        events.post(.publisherReady)
        var session = PublisherSession(connection, channels, configuration, requests, events, publication)
        defer {
            if session.isBlocked { events.post(.publisherBlocked(false)) }
            // Also when the connection is lost before its renewal.
            if let renewal = session.renewal { renew(renewal.addresses) }
        }
        return try session.run(&ledger, &outcomes)
    }
}
