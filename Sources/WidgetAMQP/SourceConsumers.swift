internal import CAMQPShim

/// The consumers of a source, all on one channel: one for each of its queues, whose tag has the queue's number.
///
/// Delivery tags count over the whole channel (AMQP 0-9-1 section 1.8.3.13), so one acknowledgement stands for the
/// deliveries of all queues before it.
struct SourceConsumers: Sendable {
    /// All queues that updates are spread over, by number.
    let queues: [String]
    /// Those that are consumed from.
    let numbers: [Int]
    /// Deliveries in hand of each queue at most.
    ///
    /// RabbitMQ counts them for each consumer (https://www.rabbitmq.com/docs/consumer-prefetch); a count for the channel
    /// is not to be had of quorum queues, and one that is in force changes with a new consumer alone. So the source's
    /// is divided: a worker that is the active one of few of its queues has fewer in hand, and never too many.
    let prefetch: Int

    /// - Parameter prefetch: over all queues.
    init(_ topology: Topology, prefetch: Int) {
        queues = topology.updatesQueues
        numbers = topology.consumedNumbers
        self.prefetch = max(1, prefetch / numbers.count)
    }

    /// Deliveries in hand of all queues at most.
    var mostInHand: UInt64 { UInt64(prefetch * numbers.count) }

    /// Starts them all; throws when the broker refuses one.
    func start(on connection: Connection) throws(AMQPError) {
        try connection.setPrefetch(prefetch)
        for number in numbers { try connection.consume(queues[number], tag: Self.prefix + "\(number)") }
    }

    /// The number of a consumer's queue.
    static func number(ofTag tag: camqp_bytes) -> Int {
        unsafe tag.buffer.dropFirst(prefix.utf8.count).reduce(0) { $0 * 10 + Int($1) - Int(UInt8(ascii: "0")) }
    }

    private static let prefix = "widgetd-"
}
