import Testing
import WidgetTestSupport

@testable import WidgetAMQP

extension AgainstABroker {
    @Suite struct `The client` {
        @Test func `publishes, counts, receives and gives back`() throws {
            let client = try Broker.client()
            defer { client.close() }
            let queue = try client.declareQueue(exclusive: true, autoDelete: true).name
            #expect(queue.hasPrefix("amq.gen-"))
            let messages = ["a", "b", "c"].map { AMQPMessage(routingKey: queue, body: Array($0.utf8)) }
            #expect(try client.publish(messages) == [.confirmed, .confirmed, .confirmed])
            #expect(try client.status(ofQueue: queue) == QueueStatus(name: queue, messages: 3, consumers: 0))

            try client.consume(from: queue, tag: "one", prefetch: 1)
            let first = try #require(try client.receive(waitingMilliseconds: 60_000))
            #expect(first.message.body == Array("a".utf8) && first.consumerTag == "one" && !first.redelivered)
            #expect(try client.receive(waitingMilliseconds: 100) == nil)
            try client.reject(first, requeue: true)
            let again = try #require(try client.receive(waitingMilliseconds: 60_000))
            #expect(again.message.body == Array("a".utf8) && again.redelivered)
            try client.reject(again, requeue: false)
            let second = try #require(try client.receive(waitingMilliseconds: 60_000))
            try client.cancel(tag: "one")
            try client.acknowledge(second)
        }

        @Test(.row(16)) func `says what no queue takes`() throws {
            let client = try Broker.client()
            defer { client.close() }
            let queue = try client.declareQueue(exclusive: true).name
            let gone = Broker.unique("gone")
            let messages = [queue, gone, queue].map { AMQPMessage(routingKey: $0, body: [1]) }
            #expect(try client.publish(messages) == [.confirmed, .unroutable("312 NO_ROUTE"), .confirmed])
            #expect(try client.purgeQueue(queue) == 2)
        }

        @Test func `carries headers of every kind it knows there and back`() throws {
            let client = try Broker.client()
            defer { client.close() }
            let queue = try client.declareQueue(exclusive: true).name
            var message = AMQPMessage(routingKey: queue, body: [1])
            message.headers = [
                AMQPHeader("void", .void), AMQPHeader("boolean", .boolean(true)), AMQPHeader("integer", .integer(.min)),
                AMQPHeader("real", .real(-0.5)), AMQPHeader("timestamp", .timestamp(1_700_000_000)),
                AMQPHeader("text", .text("é")), AMQPHeader("empty", .text("")), AMQPHeader("bytes", .bytes([0, 255])),
            ]
            #expect(try client.publish(message) == .confirmed)
            try client.consume(from: queue, tag: "test")
            let found = try #require(try client.receive(waitingMilliseconds: 60_000)).message
            #expect(found.sortedHeaders == message.sortedHeaders)
        }

        @Test func `stays usable after the broker has refused something`() throws {
            let client = try Broker.client()
            defer { client.close() }
            for _ in 0..<5 {
                let error = #expect(throws: AMQPError.self) { try client.status(ofQueue: Broker.unique("none")) }
                #expect(error?.code == 404)
            }
            let queue = try client.declareQueue(exclusive: true).name
            #expect(try client.publish(AMQPMessage(routingKey: queue, body: [1])) == .confirmed)
            #expect(throws: AMQPError.self) {
                try client.publish(AMQPMessage(exchange: Broker.unique("no"), routingKey: ""))
            }
            #expect(try client.publish(AMQPMessage(routingKey: queue, body: [1])) == .confirmed)
            #expect(try client.status(ofQueue: queue).messages == 2)
        }

        @Test func `lists what is missing of a topology`() throws {
            let client = try Broker.client()
            defer { client.close() }
            let topology = Broker.topology("missing")
            defer { Broker.remove(topology) }
            let missing = try client.missing(of: topology)
            #expect(missing.count == 6)
            #expect(missing.allSatisfy { $0.contains("404") })
            try client.declareExchange(topology.updatesExchange, type: "topic")
            #expect(try client.missing(of: topology) == Array(missing.dropFirst()))
        }

        @Test func `refuses what AMQP cannot carry, before anything is sent`() throws {
            let client = try Broker.client()
            defer { client.close() }
            let long = String(repeating: "x", count: 256)
            let error = #expect(throws: AMQPError.self) { try client.publish(AMQPMessage(routingKey: long)) }
            #expect(error?.next == .retry)
            var message = AMQPMessage(routingKey: "q")
            message.headers = [AMQPHeader("large", .text(String(repeating: "x", count: 140_000)))]
            #expect(throws: AMQPError.self) { try client.publish(message) }
            #expect(throws: AMQPError.self) { try client.declareQueue(long) }
            #expect(try client.declareQueue(exclusive: true).messages == 0)
        }
    }
}

struct `The client's account of confirms` {
    @Test func `ties a return to the confirm behind it`() {
        var confirms = ClientConfirms()
        for number in UInt64(1)...4 { confirms.published(number) }
        confirms.confirm(1, multiple: false, positive: true)
        confirms.returned("312 NO_ROUTE")
        confirms.confirm(3, multiple: false, positive: true)
        #expect(!confirms.isComplete)
        confirms.confirm(4, multiple: true, positive: false)
        #expect(confirms.isComplete)
        #expect(confirms.results == [.confirmed, .refused, .unroutable("312 NO_ROUTE"), .refused])
    }
}
