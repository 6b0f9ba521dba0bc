/// The messages of a queue, each handed out once, in their order, and held: those that are not acknowledged are given
/// back when the connection ends, however it ends.
///
/// RabbitMQ puts what a lost or closed channel held back to where it was (classic queues: to its old place; quorum
/// queues: before all else, in the old order). `basic.nack` does not promise that for a quorum queue without a delivery
/// limit, so none is sent. A quorum queue counts each return of a message in its header `x-delivery-count`, and drops a
/// message that is beyond the queue's delivery limit: none by default before RabbitMQ 4.0, 20 from then on.
public final class HeldQueue {
    /// What was there when it was opened; what comes later is not handed out.
    public let count: Int
    /// The highest `x-delivery-count` so far: how often a message was given back before.
    public private(set) var mostReturns = 0

    private let client: AMQPClient
    private let queue: String
    private let patience: Int
    private var taken = 0
    /// Consumers so far; the last one is named after it.
    private var consumers = 0
    /// What the last consumer has in hand, and may have.
    private var inHand = 0
    private var prefetch = 0

    private static let firstPrefetch = 1_000
    /// basic.qos counts in 16 bits (AMQP 0-9-1 section 1.8.3.1).
    private static let largestPrefetch = 65_535

    /// - Parameters:
    ///   - client: for this alone, as it is closed in the end.
    ///   - patience: milliseconds that the broker may take for a message that it has.
    /// - Throws: `AMQPError` when the queue is not there, or others consume from it.
    public init(_ queue: String, _ client: AMQPClient, patience: Int = 10_000) throws(AMQPError) {
        self.client = client
        self.queue = queue
        self.patience = patience
        let status = try client.status(ofQueue: queue)
        guard status.consumers == 0 else {
            throw AMQPError(
                "hold \(queue): others consume from it (\(status.consumers)), and its messages would go to them as well;"
                    + " stop them first", next: .giveUp)
        }
        count = status.messages
    }

    /// The next message; `nil` after the last.
    public func next() throws(AMQPError) -> AMQPClientDelivery? {
        guard taken < count else { return nil }
        if inHand == prefetch { try consumeMore() }
        let wait = 500
        for _ in 0...(patience / wait) {
            if let delivery = try client.receive(waitingMilliseconds: wait) {
                taken += 1
                inHand += 1
                if case .integer(let returns) = delivery.message.header("x-delivery-count") {
                    mostReturns = max(mostReturns, Int(clamping: returns))
                }
                return delivery
            }
            // Messages may have gone: expired, purged, or taken by somebody who came just before.
            if try client.status(ofQueue: queue).messages == 0 {
                taken = count
                return nil
            }
        }
        throw AMQPError(
            "hold \(queue): the broker has messages and hands none out; does another consumer have it for itself?",
            next: .retry)
    }

    /// Takes a message out of the queue for good.
    public func acknowledge(_ delivery: AMQPClientDelivery) throws(AMQPError) {
        try client.acknowledge(delivery)
        if delivery.consumerTag == "\(consumers)" { inHand -= 1 }
    }

    /// Gives back what was not acknowledged.
    ///
    /// The channel of a quorum queue sends on only so many acknowledgements at a time (32, `quorum_commands_soft_limit`)
    /// and forgets the others when it is closed. Ending a consumer goes through the queue's log behind those, and so
    /// waits until they are done.
    public func close() {
        if consumers > 0 { try? client.cancel(tag: "\(consumers)") }
        client.close()
    }

    /// One consumer after the other: what a quorum queue sends to two may come in another order.
    private func consumeMore() throws(AMQPError) {
        if consumers > 0 { try client.cancel(tag: "\(consumers)") }
        consumers += 1
        inHand = 0
        prefetch = min(max(Self.firstPrefetch, taken), Self.largestPrefetch)
        try client.consume(from: queue, tag: "\(consumers)", prefetch: prefetch)
    }
}
