import Testing
import WidgetAMQP
import WidgetWorker

/// A source on shards of a test's own, and what it reports. It goes with the last reference to it; the queues stay.
final class ShardedSource {
    let events: Events
    let source: AMQPDeliverySource

    init(
        _ topology: Topology, _ address: AMQPAddress? = nil, prefetch: Int = 2_000, events: Events = Events()
    ) throws {
        self.events = events
        source = AMQPDeliverySource(
            addresses: [try address ?? Broker.address()], topology: topology, prefetch: prefetch,
            backoff: Backoff(Backoff.Bounds(first: 20, longest: 200, slowFirst: 50, slowLongest: 200)))
        source.start(reportingTo: events.mailbox)
    }

    deinit { source.close() }

    static func topology(
        _ word: String, _ shards: Int, consuming consumed: [Int]? = nil, queueType: Topology.QueueType = .classic
    ) -> Topology {
        var topology = Broker.topology(word, queueType: queueType)
        topology.shards = shards
        topology.consumedShards = consumed
        return topology
    }

    func becomesReady(generation: UInt64 = 1) -> Bool {
        events.waitUntil { Events.generations($0).contains(generation) }
    }

    func receives(_ count: Int) -> Bool { events.waitUntil { Events.deliveries($0).count >= count } }

    /// The first refusal.
    func refusal() throws -> String {
        #expect(events.waitUntil { !Events.refusals($0).isEmpty })
        return try #require(Events.refusals(events.all).first)
    }

    /// What was delivered, oldest first.
    var updates: [NumberedUpdate] { events.deliveries.map(NumberedUpdate.init) }
}

/// An update whose body is its number among those of its widget.
struct NumberedUpdate: Hashable {
    let widget: String
    let number: Int

    init(_ delivery: Delivery) {
        widget = delivery.message.routingKey
        number = Int(String(decoding: delivery.message.body, as: UTF8.self)) ?? -1
    }

    /// Publishes the updates of these numbers of each of so many widgets, by turns.
    static func publish(_ numbers: Range<Int>, widgets: Int, to topology: Topology) throws {
        let client = try Broker.client()
        defer { client.close() }
        let messages = numbers.flatMap { number in
            (0..<widgets).map {
                AMQPMessage(
                    exchange: topology.updatesExchange, routingKey: "acme.w\($0)", body: Array("\(number)".utf8))
            }
        }
        #expect(try client.publish(messages).allSatisfy { $0 == .confirmed })
    }
}
