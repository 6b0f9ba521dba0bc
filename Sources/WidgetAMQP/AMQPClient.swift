internal import CAMQPShim

/// A plain client for one thread: declares, publishes with confirms, receives. Every call waits for its result.
///
/// A refusal by the broker (a queue that is not there, say) is thrown and leaves the client usable, without the
/// consumers it had.
public final class AMQPClient {
    /// What became of a publication.
    public enum PublishResult: Sendable, Equatable {
        case confirmed
        /// Confirmed, yet no queue took it; the broker's words.
        case unroutable(String)
        /// The broker could not take it (nack).
        case refused
    }

    let connection: Connection
    private let callTimeout: Int
    private var confirms = false
    private var received: [AMQPClientDelivery] = []
    private var prefetch = 0

    public init(_ address: AMQPAddress, settings: ConnectionSettings = ConnectionSettings()) throws(AMQPError) {
        connection = try Connection(to: address, settings)
        callTimeout = settings.callTimeout
    }

    /// The first of the addresses that answers.
    public static func connect(
        to addresses: [AMQPAddress], settings: ConnectionSettings = ConnectionSettings()
    ) throws(AMQPError) -> AMQPClient {
        var last = AMQPError("connect: no address was given", next: .giveUp)
        for address in addresses {
            do {
                return try AMQPClient(address, settings: settings)
            } catch {
                last = error
            }
        }
        throw last
    }

    /// Publishes and waits for the broker's word on it.
    public func publish(_ message: AMQPMessage) throws(AMQPError) -> PublishResult {
        try publish([message])[0]
    }

    /// Publishes in order, then waits for the broker's word on each.
    public func publish(_ messages: [AMQPMessage]) throws(AMQPError) -> [PublishResult] {
        if !confirms {
            try perform { () throws(AMQPError) in _ = try connection.selectConfirms() }
            confirms = true
        }
        var waiting = ClientConfirms()
        for message in messages {
            while true {
                var number: UInt64 = 0
                let status = unsafe message.withPublication { unsafe connection.publish($0, number: &number) }
                if status == CAMQP_OK {
                    waiting.published(number)
                    break
                }
                guard status == CAMQP_WOULD_BLOCK else { throw failure(about: "to \(message.exchange)") }
                try takeEvents(&waiting, waitingMilliseconds: 100)
            }
        }
        connection.flush()
        let end = MonotonicClock.milliseconds + callTimeout
        while !waiting.isComplete {
            let left = end - MonotonicClock.milliseconds
            guard left > 0 else {
                throw AMQPError("publish: no confirm for \(callTimeout) ms", next: .reconnect)
            }
            try takeEvents(&waiting, waitingMilliseconds: left)
        }
        return waiting.results
    }

    /// Starts to consume from a queue; messages then come from `receive`.
    /// - Parameters:
    ///   - tag: the consumer's name, for `cancel`.
    ///   - prefetch: messages in hand at most.
    public func consume(
        from queue: String, tag: String, prefetch: Int = 100, exclusive: Bool = false
    ) throws(AMQPError) {
        try perform { () throws(AMQPError) in
            try connection.setPrefetch(prefetch)
            try connection.consume(queue, tag: tag, exclusive: exclusive)
        }
    }

    /// Ends a consumer. What it was sent before is still received.
    public func cancel(tag: String) throws(AMQPError) {
        try perform { () throws(AMQPError) in try connection.cancel(tag: tag) }
    }

    /// The next message; `nil` when none comes within `milliseconds`.
    public func receive(waitingMilliseconds milliseconds: Int) throws(AMQPError) -> AMQPClientDelivery? {
        let end = MonotonicClock.milliseconds + milliseconds
        var none = ClientConfirms()
        // What nobody has asked for yet stays in the socket, and the broker's memory, not ours.
        try takeEvents(&none, waitingMilliseconds: 0, untilDelivery: true)
        while received.isEmpty {
            let left = end - MonotonicClock.milliseconds
            guard left > 0 else { return nil }
            try takeEvents(&none, waitingMilliseconds: left, untilDelivery: true)
        }
        return received.removeFirst()
    }

    /// Keeps the connection alive (heartbeats) while there is nothing else to do with it; now and then.
    public func keepAlive() throws(AMQPError) {
        var none = ClientConfirms()
        try takeEvents(&none, waitingMilliseconds: 0)
        connection.wait(wake: nil, milliseconds: 0)
    }

    /// Acknowledges a delivery, or all up to it.
    public func acknowledge(_ delivery: AMQPClientDelivery, multiple: Bool = false) throws(AMQPError) {
        try connection.acknowledge(delivery.tag, multiple: multiple)
        connection.flush()
    }

    /// Gives a delivery back to the queue, or away for good.
    public func reject(_ delivery: AMQPClientDelivery, requeue: Bool) throws(AMQPError) {
        try connection.reject(delivery.tag, requeue: requeue)
        connection.flush()
    }

    public func close() {
        connection.close(withinMilliseconds: 3_000)
    }

    /// Runs calls that the broker answers. When it closes the channel over one, a new channel takes its place.
    func perform<Result>(_ body: () throws(AMQPError) -> Result) throws(AMQPError) -> Result {
        do {
            return try body()
        } catch {
            reopen()
            throw error
        }
    }

    private func failure(about subject: String) -> AMQPError {
        defer { reopen() }
        return connection.error(about: subject)
    }

    private func reopen() {
        guard !connection.hasChannel else { return }
        forgetChannel()
        // When this fails, the connection is lost, and the next call says so.
        try? connection.reopenChannel()
    }

    /// The channel is another one: without confirms, and what came over the old one cannot be acknowledged.
    func forgetChannel() {
        confirms = false
        received = []
    }

    private func takeEvents(
        _ confirms: inout ClientConfirms, waitingMilliseconds milliseconds: Int, untilDelivery: Bool = false
    ) throws(AMQPError) {
        if milliseconds > 0 { connection.wait(wake: nil, milliseconds: milliseconds) }
        while !(untilDelivery && !received.isEmpty) {
            let event = unsafe connection.nextEvent()
            switch unsafe event.pointee.kind {
            case CAMQP_EVENT_NONE: return
            case CAMQP_EVENT_DELIVERY: received.append(unsafe AMQPClientDelivery(event))
            case CAMQP_EVENT_CONFIRM:
                unsafe confirms.confirm(
                    event.pointee.tag, multiple: event.pointee.multiple, positive: event.pointee.positive)
            case CAMQP_EVENT_RETURNED:
                unsafe confirms.returned("\(event.pointee.code) \(event.pointee.text.text ?? "")")
            case CAMQP_EVENT_CONSUMER_CANCELLED:
                throw AMQPError("receive: the broker has ended the consumer", next: .reconnect)
            case CAMQP_EVENT_CHANNEL_CLOSED, CAMQP_EVENT_CONNECTION_CLOSED, CAMQP_EVENT_FAILED:
                throw failure(about: "")
            default: break
            }
        }
    }
}
