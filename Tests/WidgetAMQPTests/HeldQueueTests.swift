import Testing
import WidgetAMQP

extension AgainstABroker {
    @Suite struct `A queue that is held` {
        /// A queue of a test's own with numbered messages.
        private final class Numbered {
            let client: AMQPClient
            let name = Broker.unique("held")

            init(_ type: String, count: Int, arguments: [(name: String, value: AMQPArgument)] = []) throws {
                client = try Broker.client()
                _ = try client.declareQueue(
                    name, durable: true, arguments: [("x-queue-type", .text(type))] + arguments)
                try publish(0..<count)
            }

            deinit {
                _ = try? client.deleteQueue(name)
                client.close()
            }

            func publish(_ numbers: Range<Int>) throws {
                let messages = numbers.map { AMQPMessage(routingKey: name, body: Array("\($0)".utf8)) }
                #expect(try client.publish(messages).allSatisfy { $0 == .confirmed })
            }

            /// The numbers that are there in the end, in their order.
            func drain(_ count: Int) throws -> [Int] {
                #expect(try eventually { try client.status(ofQueue: name).messages == count })
                try client.consume(from: name, tag: "drain", prefetch: 1_000)
                return try (0..<count).compactMap { _ in
                    guard let delivery = try client.receive(waitingMilliseconds: 10_000) else { return nil }
                    try client.acknowledge(delivery)
                    return AgainstABroker.`A queue that is held`.number(delivery)
                }
            }
        }

        static func number(_ delivery: AMQPClientDelivery) -> Int? {
            Int(String(decoding: delivery.message.body, as: UTF8.self))
        }

        @Test(arguments: ["classic", "quorum"])
        func `hands out what was there in its order, and puts back what is not acknowledged where it was`(
            _ type: String
        ) throws {
            // More than the first consumer may have in hand, and more than the second one as well.
            let count = 2_500
            let queue = try Numbered(type, count: count)
            let held = try HeldQueue(queue.name, Broker.client())
            #expect(held.count == count)
            var seen: [Int] = []
            var waiting: [AMQPClientDelivery] = []
            while let delivery = try held.next() {
                let number = try #require(AgainstABroker.`A queue that is held`.number(delivery))
                seen.append(number)
                if number.isMultiple(of: 3) { waiting.append(delivery) }
                if waiting.count == 100 {
                    for delivery in waiting { try held.acknowledge(delivery) }
                    waiting = []
                }
                if number == 1_200 { try queue.publish(count..<count + 10) }
            }
            #expect(seen == Array(0..<count))
            for delivery in waiting { try held.acknowledge(delivery) }
            held.close()
            let left = (0..<count + 10).filter { $0 >= count || !$0.isMultiple(of: 3) }
            #expect(try queue.drain(left.count) == left)
        }

        @Test func `gives all back when it is let go half way, and counts it in a quorum queue`() throws {
            let queue = try Numbered("quorum", count: 20)
            for returns in 0..<3 {
                let held = try HeldQueue(queue.name, Broker.client())
                for number in 0..<10 {
                    #expect(AgainstABroker.`A queue that is held`.number(try #require(try held.next())) == number)
                }
                #expect(held.mostReturns == returns)
                held.close()
                #expect(try eventually { try queue.client.status(ofQueue: queue.name).messages == 20 })
            }
            #expect(try queue.drain(20) == Array(0..<20))
        }

        @Test func `ends where messages have gone meanwhile`() throws {
            let queue = try Numbered("classic", count: 3)
            let held = try HeldQueue(queue.name, Broker.client())
            try queue.client.purgeQueue(queue.name)
            #expect(try held.next() == nil)
            #expect(try held.next() == nil)
        }

        @Test func `is nobody else's`() throws {
            let queue = try Numbered("classic", count: 1)
            try queue.client.consume(from: queue.name, tag: "other")
            let error = #expect(throws: AMQPError.self) { try HeldQueue(queue.name, Broker.client()) }
            #expect(error?.description.contains("stop them first") == true)
            let missing = #expect(throws: AMQPError.self) { try HeldQueue(Broker.unique("none"), Broker.client()) }
            #expect(missing?.code == 404)
        }
    }
}
