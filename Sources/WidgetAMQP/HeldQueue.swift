/// The messages of a queue, each handed out once, in their order, and held: those that are not acknowledged are given
/// back when the connection ends, however it ends.
///
/// RabbitMQ puts what a lost or closed channel held back to where it was (classic queues: to its old place; quorum
/// queues: before all else, in the order of its return). `basic.nack` does not promise that for a quorum queue without a
/// delivery limit, so none is sent. A quorum queue counts each return of a message in its header `x-delivery-count`, and
/// drops a message that is beyond the queue's delivery limit: none by default before RabbitMQ 4.0, 20 from then on.
public final class HeldQueue {
    /// What was there when it was opened; what comes later is not handed out.
    public let count: Int
    /// The highest `x-delivery-count` so far: how often a message was given back before.
    public private(set) var mostReturns = 0

    private let queue: String
    private let prefetch: Int
    private let patience: Int
    private let connect: () throws(AMQPError) -> AMQPClient
    /// The last one consumes, once it has begun; the others hold.
    private var clients: [AMQPClient]
    private var isConsuming = false
    private var hasAcknowledged = false
    private var taken = 0
    /// What the last connection has in hand.
    private var inHand = 0
    private var lastKeptAlive = MonotonicClock.milliseconds

    /// - Parameters:
    ///   - prefetch: what one connection holds, at most 65535 (AMQP 0-9-1 section 1.8.3.1). Of one that is lost at once, as
    ///     after SIGKILL, all comes back in its order; of several, a quorum queue takes back one after the other as their
    ///     ends are noticed. On the other hand RabbitMQ looks for each acknowledged message among all that the channel
    ///     holds, the oldest first, which takes it milliseconds where these are many.
    ///   - patience: milliseconds that the broker may take for a message that it has.
    ///   - connect: makes a connection for this alone; it is closed in the end.
    /// - Throws: `AMQPError` when the queue is not there, or others consume from it.
    public init(
        _ queue: String, prefetch: Int = 50_000, patience: Int = 60_000,
        connect: @escaping () throws(AMQPError) -> AMQPClient
    ) throws(AMQPError) {
        self.queue = queue
        self.prefetch = prefetch
        self.patience = patience
        self.connect = connect
        let client = try connect()
        clients = [client]
        let status = try client.status(ofQueue: queue)
        guard status.consumers == 0 else {
            throw AMQPError(
                "hold \(queue): others consume from it (\(status.consumers)), and its messages would go to them as well;"
                    + " stop them first", next: .giveUp)
        }
        count = status.messages
    }

    /// Whether what was handed out until now can be acknowledged only before `next` is called.
    public var isFull: Bool { inHand == prefetch }

    /// The next message; `nil` after the last.
    public func next() throws(AMQPError) -> AMQPClientDelivery? {
        guard taken < count else { return nil }
        try keepAlive()
        if isFull || !isConsuming { try consumeMore() }
        let client = clients[clients.count - 1]
        let wait = 500
        var isEmpty = false
        for _ in 0...(patience / wait + 1) {
            if let delivery = try client.receive(waitingMilliseconds: isEmpty ? 0 : wait) {
                taken += 1
                inHand += 1
                if case .integer(let returns) = delivery.message.header("x-delivery-count") {
                    mostReturns = max(mostReturns, Int(clamping: returns))
                }
                return delivery
            }
            // Messages may have gone: expired, purged, or taken by somebody who came just before.
            guard !isEmpty else {
                taken = count
                return nil
            }
            // What is on its way to us comes before this answer.
            isEmpty = try client.status(ofQueue: queue).messages == 0
        }
        throw AMQPError(
            "hold \(queue): the broker has messages and hands none out; does another consumer have it for itself?",
            next: .retry)
    }

    /// Takes messages out of the queue for good; they were handed out since `isFull` was last true.
    public func acknowledge(_ deliveries: [AMQPClientDelivery]) throws(AMQPError) {
        guard !deliveries.isEmpty else { return }
        let client = clients[clients.count - 1]
        for delivery in deliveries {
            guard delivery.consumerTag == tag else {
                throw AMQPError("acknowledge delivery of \(queue): it comes too late", next: .giveUp)
            }
            try client.acknowledge(delivery)
        }
        inHand -= deliveries.count
        hasAcknowledged = true
        // Waits until the channel has come to them: faster ones would pile up there.
        _ = try client.status(ofQueue: queue)
    }

    /// Gives back what was not acknowledged.
    public func close() {
        if hasAcknowledged {
            // What is on its way to a consumer as it ends goes behind newer messages of a quorum queue
            // (https://github.com/rabbitmq/rabbitmq-server/issues/3729).
            while !isFull, (try? next()) != nil {}
            try? endConsumer()
        }
        // In the order in which they were handed out.
        for client in clients { client.close() }
    }

    private var tag: String { "holder \(clients.count)" }

    /// One consumer after the other, each with a connection of its own: two of them at a time would be served out of
    /// order by a quorum queue, and two of one channel given back out of order.
    private func consumeMore() throws(AMQPError) {
        if isConsuming {
            try endConsumer()
            clients.append(try connect())
        }
        isConsuming = true
        inHand = 0
        try clients[clients.count - 1].consume(from: queue, tag: tag, prefetch: prefetch)
    }

    /// The channel of a quorum queue sends on only so many acknowledgements at a time (32, `quorum_commands_soft_limit`)
    /// and forgets the others when it is closed. The end of a consumer goes through the queue's log behind those, and so
    /// waits until they are done.
    private func endConsumer() throws(AMQPError) {
        if isConsuming { try clients[clients.count - 1].cancel(tag: tag) }
    }

    private func keepAlive() throws(AMQPError) {
        guard MonotonicClock.milliseconds - lastKeptAlive >= 1_000 else { return }
        for client in clients { try client.keepAlive() }
        lastKeptAlive = MonotonicClock.milliseconds
    }
}
