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

    public init() {}

    /// The queues that are consumed from.
    public var consumedQueues: [String] {
        shards > 0 ? (0..<shards).map { "\(updatesQueue).\($0)" } : [updatesQueue]
    }

    /// The exchange that spreads updates over the shards.
    public var shardsExchange: String { "\(updatesQueue).shards" }
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
            .exchangeBinding(destination: shardsExchange, source: updatesExchange, key: "#"),
        ]
            + consumedQueues.flatMap { queue in
                [
                    .queue(queue, queueType, singleActiveConsumer: true),
                    // The key of a consistent-hash binding is the queue's weight.
                    .binding(queue: queue, exchange: shardsExchange, key: "1"),
                ]
            }
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
