internal import CAMQPShim
internal import WidgetTelemetry
internal import WidgetWorker

/// One publishing connection at work.
struct PublisherSession {
    private static let farewell = 3_000

    private let connection: Connection
    private let channels: PublisherChannels
    private let configuration: PublisherConfiguration
    private let requests: PublisherRequests
    private let events: Mailbox<WorkerEvent>
    private let publication: OutcomePublication
    private var deadline: ConfirmDeadline
    private(set) var renewal: Renewal?
    private var progress = false
    /// When refused outcomes may be tried again.
    private var tryRefusedAt = 0
    /// The broker has asked publishers to wait.
    private(set) var isBlocked = false

    init(
        _ connection: Connection, _ channels: PublisherChannels, _ configuration: PublisherConfiguration,
        _ requests: PublisherRequests, _ events: Mailbox<WorkerEvent>, _ publication: OutcomePublication
    ) {
        self.connection = connection
        self.channels = channels
        self.configuration = configuration
        self.requests = requests
        self.events = events
        self.publication = publication
        deadline = ConfirmDeadline(limit: configuration.confirmDeadline)
    }

    /// Works until the publisher is closed or its connection renewed; throws when the connection is lost.
    mutating func run(
        _ ledger: inout ConfirmLedger, _ outcomes: inout OutcomeQueue
    ) throws(AMQPError) -> SessionEnd {
        while true {
            let wanted = requests.take()
            for batch in wanted.batches {
                ledger.add(number: batch.number, count: outcomes.add(batch.outcomes))
            }
            let now = MonotonicClock.milliseconds
            if let addresses = wanted.renewal { renewal = Renewal(addresses, now: now) }
            // Nothing more is published on a connection that is to go, and what it has published is confirmed first.
            let isOver = renewal.map { ledger.inFlight == 0 || $0.left(now: now) == 0 } ?? false
            if wanted.close || isOver {
                connection.close(withinMilliseconds: Self.farewell)
                return wanted.close ? .closed : .renewal
            }
            if !isBlocked && renewal == nil { try publish(&ledger, outcomes) }
            connection.flush()
            settle(&ledger, &outcomes)
            let patience = try [patience(ledger), renewal?.left(now: now)].compactMap(\.self).min()
            if requests.maySleep() { connection.wait(wake: requests.wakeUp, milliseconds: patience) }
            try takeEvents(&ledger, outcomes)
            settle(&ledger, &outcomes)
        }
    }

    /// Frames everything that is to be published, as far as the socket keeps up.
    private func publish(_ ledger: inout ConfirmLedger, _ outcomes: OutcomeQueue) throws(AMQPError) {
        let mayTryRefused = ledger.hasRefused && MonotonicClock.milliseconds >= tryRefusedAt
        while let position = ledger.next(mayTryRefused: mayTryRefused) {
            let (status, channel) = outcomes.withFields(position) { fields in
                let channel = channels.channel(of: fields)
                var number: UInt64 = 0
                var status = unsafe connection.publish(publication.fill(fields), channel: channel, number: &number)
                if status == CAMQP_INVALID {
                    status = unsafe connection.publish(publication.dropTrace(), channel: channel, number: &number)
                }
                return (status, channel)
            }
            switch status {
            case CAMQP_OK: ledger.published(position, channel: channel)
            case CAMQP_WOULD_BLOCK: return
            case CAMQP_INVALID:
                configuration.log.error(
                    "an outcome cannot be published", ["reason": connection.error(about: "an outcome")])
                ledger.unpublishable(position)
            default: throw connection.loss()
            }
        }
    }

    private func settle(_ ledger: inout ConfirmLedger, _ outcomes: inout OutcomeQueue) {
        let settled = ledger.takeSettled()
        guard !settled.isEmpty else { return }
        outcomes.forget(before: ledger.unsettled.lowerBound)
        for confirmations in settled {
            events.post(.published(confirmations))
        }
    }

    /// How long to wait for the broker; `nil` for as long as it takes.
    private mutating func patience(_ ledger: ConfirmLedger) throws(AMQPError) -> Int? {
        guard ledger.inFlight > 0 || ledger.hasRefused else {
            _ = deadline.left(inFlight: 0, progress: false, isBlocked: isBlocked, now: 0)
            return nil
        }
        let now = MonotonicClock.milliseconds
        let left = deadline.left(inFlight: ledger.inFlight, progress: progress, isBlocked: isBlocked, now: now)
        progress = false
        if left == 0 {
            throw AMQPError(
                "publish: no confirm for \(configuration.confirmDeadline) ms with \(ledger.inFlight) due",
                next: .reconnect)
        }
        guard ledger.hasRefused, !isBlocked else { return left }
        return min(left ?? .max, max(1, tryRefusedAt - now))
    }

    private mutating func takeEvents(_ ledger: inout ConfirmLedger, _ outcomes: OutcomeQueue) throws(AMQPError) {
        while true {
            let event = unsafe connection.nextEvent()
            switch unsafe event.pointee.kind {
            case CAMQP_EVENT_NONE: return
            case CAMQP_EVENT_CONFIRM: unsafe confirm(event, &ledger)
            case CAMQP_EVENT_RETURNED: unsafe returned(event, &ledger, outcomes)
            case CAMQP_EVENT_BLOCKED: unsafe setBlocked(true, event.pointee.text.text)
            case CAMQP_EVENT_UNBLOCKED: setBlocked(false, nil)
            case CAMQP_EVENT_CHANNEL_CLOSED, CAMQP_EVENT_CONNECTION_CLOSED, CAMQP_EVENT_FAILED: throw connection.loss()
            default: break
            }
        }
    }

    private mutating func confirm(_ event: UnsafePointer<camqp_event>, _ ledger: inout ConfirmLedger) {
        let positive = unsafe event.pointee.positive
        if !positive && !ledger.hasRefused {
            tryRefusedAt = MonotonicClock.milliseconds + configuration.refusalPause
            configuration.log.warning("the broker refuses outcomes", ["retry_in_ms": configuration.refusalPause])
        }
        unsafe ledger.confirm(
            event.pointee.tag, channel: Int(event.pointee.channel), multiple: event.pointee.multiple, positive: positive
        )
        progress = true
    }

    /// A receipt whose reply queue is gone is nobody's loss; anything else is tied to its outcome by the message id.
    private func returned(
        _ event: UnsafePointer<camqp_event>, _ ledger: inout ConfirmLedger, _ outcomes: OutcomeQueue
    ) {
        guard unsafe event.pointee.exchange.count > 0, let id = unsafe event.pointee.properties.message_id.array else {
            return
        }
        unsafe ledger.returned(channel: Int(event.pointee.channel)) { position in
            outcomes.withFields(position) { fields in
                unsafe fields.destination != .reply && OutcomePublication.cut(fields.messageID).equals(id)
            }
        }
    }

    private mutating func setBlocked(_ blocked: Bool, _ reason: String?) {
        guard blocked != isBlocked else { return }
        isBlocked = blocked
        if blocked {
            configuration.log.warning("the broker asks publishers to wait", ["reason": reason ?? ""])
        } else {
            configuration.log.info("the broker takes publications again")
        }
        events.post(.publisherBlocked(blocked))
    }
}
