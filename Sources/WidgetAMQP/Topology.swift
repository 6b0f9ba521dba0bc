/// Names and kinds of what the worker needs in the broker.
public struct Topology: Sendable, Equatable {
    public enum QueueType: String, CaseIterable, Sendable {
        case quorum, classic
    }

    public enum Mode: String, CaseIterable, Sendable {
        /// Declares what is not there.
        case create
        /// Only looks whether it is there. Bindings cannot be looked at.
        case check
    }

    public var mode = Mode.create
    /// Of every queue that is declared.
    public var queueType = QueueType.quorum
    public var updatesExchange = "widgets.updates"
    public var updatesQueue = "widgets.updates"
    public var acceptedExchange = "widgets.accepted"
    public var fanoutQueue = "widgets.fanout"
    public var rejectedExchange = "widgets.rejected"
    public var rejectionsQueue = "widgets.rejections"
    /// Queues in place of the one for updates, filled through a consistent-hash exchange; 0 for the one.
    public var shards = 0
    /// The shards that are consumed from, each below `shards`; `nil` for all.
    public var consumedShards: [Int]?

    public init() {}

    /// The queues that updates go to.
    public var updatesQueues: [String] {
        shards > 0 ? (0..<shards).map(shardQueue) : [updatesQueue]
    }

    /// The queues that are consumed from.
    public var consumedQueues: [String] {
        let queues = updatesQueues
        return consumedNumbers.map { queues[$0] }
    }

    /// The places among `updatesQueues` of those that are consumed from.
    var consumedNumbers: [Int] {
        shards > 0 ? consumedShards ?? Array(0..<shards) : [0]
    }

    /// The exchange that spreads updates over the shards.
    public var shardsExchange: String { "\(updatesQueue).shards" }

    /// - Parameter number: from 0; whether that many are wanted or not.
    func shardQueue(_ number: Int) -> String { "\(updatesQueue).\(number)" }
}

/// One thing to declare.
enum Declaration: Equatable, Sendable {
    case exchange(String, type: String)
    /// Durable. With a single active consumer a second worker on the queue is a standby.
    case queue(String, Topology.QueueType, singleActiveConsumer: Bool)
    case binding(queue: String, exchange: String, key: String)
    case exchangeBinding(destination: String, source: String, key: String)
}

extension Topology {
    /// What the consuming connection declares, in order.
    var inbound: [Declaration] {
        guard shards > 0 else {
            return [
                .exchange(updatesExchange, type: "topic"),
                .queue(updatesQueue, queueType, singleActiveConsumer: true),
                .binding(queue: updatesQueue, exchange: updatesExchange, key: "#"),
            ]
        }
        return [
            .exchange(updatesExchange, type: "topic"), .exchange(shardsExchange, type: "x-consistent-hash"),
        ]
            // All of them, whichever are consumed: the hash is over the bindings that are there.
            + updatesQueues.flatMap { queue in
                [
                    .queue(queue, queueType, singleActiveConsumer: true),
                    // The key is the queue's weight. RabbitMQ's is a jump hash, which spreads no better over more points.
                    .binding(queue: queue, exchange: shardsExchange, key: "1"),
                ]
            }
            // Last, so that no update is spread over a part of them.
            + [.exchangeBinding(destination: shardsExchange, source: updatesExchange, key: "#")]
    }

    /// What the publishing connection declares, in order.
    var outbound: [Declaration] {
        [
            .exchange(acceptedExchange, type: "topic"),
            .queue(fanoutQueue, queueType, singleActiveConsumer: false),
            .binding(queue: fanoutQueue, exchange: acceptedExchange, key: "#"),
            .exchange(rejectedExchange, type: "topic"),
            .queue(rejectionsQueue, queueType, singleActiveConsumer: false),
            .binding(queue: rejectionsQueue, exchange: rejectedExchange, key: "#"),
        ]
    }
}

extension Declaration: CustomStringConvertible {
    /// What is wanted, for people.
    var description: String {
        switch self {
        case .exchange(let name, let type): "exchange \(name) (\(type), durable)"
        case .queue(let name, let type, let single):
            "queue \(name) (\(type), durable\(single ? ", single active consumer" : ""))"
        case .binding(let queue, let exchange, let key): "queue \(queue) bound to \(exchange) with \(key)"
        case .exchangeBinding(let destination, let source, let key):
            "exchange \(destination) bound to \(source) with \(key)"
        }
    }
}
