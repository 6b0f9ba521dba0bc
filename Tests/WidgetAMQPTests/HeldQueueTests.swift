import Testing
import WidgetAMQP
import WidgetTestSupport

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
                for start in stride(from: numbers.lowerBound, to: numbers.upperBound, by: 1_000) {
                    let messages = (start..<min(start + 1_000, numbers.upperBound)).map {
                        AMQPMessage(routingKey: name, body: Array("\($0)".utf8))
                    }
                    #expect(try client.publish(messages).allSatisfy { $0 == .confirmed })
                }
            }

            /// The numbers that are there in the end, in their order.
            func drain(_ count: Int) throws -> [Int] {
                #expect(try eventually { try client.status(ofQueue: name).messages == count })
                try client.consume(from: name, tag: "drain", prefetch: 1_000)
                return try (0..<count).compactMap { _ in
                    guard let delivery = try client.receive(waitingMilliseconds: 60_000) else { return nil }
                    try client.acknowledge(delivery)
                    return AgainstABroker.`A queue that is held`.number(delivery)
                }
            }
        }

        private static func connect() throws(AMQPError) -> AMQPClient { try connect(port: nil) }

        private static func connect(port: Int?) throws(AMQPError) -> AMQPClient {
            do {
                var address = try Broker.address()
                address.port = port ?? address.port
                return try AMQPClient(address)
            } catch let error as AMQPError {
                throw error
            } catch {
                throw AMQPError("\(error)", next: .giveUp)
            }
        }

        static func number(_ delivery: AMQPClientDelivery) -> Int? {
            Int(String(decoding: delivery.message.body, as: UTF8.self))
        }

        @Test(arguments: ["classic", "quorum"])
        func `hands out what was there in its order, and puts back what is not acknowledged where it was`(
            _ type: String
        ) throws {
            // More than one connection holds.
            let count = 2_500
            let queue = try Numbered(type, count: count)
            let held = try HeldQueue(queue.name, prefetch: 500, connect: Self.connect)
            #expect(held.count == count)
            var seen: [Int] = []
            var waiting: [AMQPClientDelivery] = []
            func acknowledge() throws {
                try held.acknowledge(waiting)
                waiting = []
            }
            while true {
                if held.isFull || waiting.count == 100 { try acknowledge() }
                guard let delivery = try held.next() else { break }
                let number = try #require(AgainstABroker.`A queue that is held`.number(delivery))
                seen.append(number)
                if number.isMultiple(of: 3) { waiting.append(delivery) }
                if number == 1_200 { try queue.publish(count..<count + 10) }
            }
            #expect(seen == Array(0..<count))
            try acknowledge()
            held.close()
            let left = (0..<count + 10).filter { $0 >= count || !$0.isMultiple(of: 3) }
            #expect(try queue.drain(left.count) == left)
        }

        @Test func `gives all back when it is let go half way, and counts it in a quorum queue`() throws {
            let queue = try Numbered("quorum", count: 20)
            for returns in 0..<3 {
                let held = try HeldQueue(queue.name, connect: Self.connect)
                for number in 0..<10 {
                    #expect(AgainstABroker.`A queue that is held`.number(try #require(try held.next())) == number)
                }
                #expect(held.mostReturns == returns)
                held.close()
                #expect(try eventually { try queue.client.status(ofQueue: queue.name).messages == 20 })
            }
            #expect(try queue.drain(20) == Array(0..<20))
        }

        @Test(arguments: ["classic", "quorum"])
        func `puts back in order what was still on its way when it is let go`(_ type: String) throws {
            let queue = try Numbered(type, count: 10_000)
            let held = try HeldQueue(queue.name, connect: Self.connect)
            for _ in 0..<2 { try held.acknowledge([try #require(try held.next())]) }
            held.close()
            #expect(try queue.drain(9_998) == Array(2..<10_000))
        }

        @Test func `acknowledges nothing of an earlier consumer, which it would not be sure to reach`() throws {
            let queue = try Numbered("classic", count: 101)
            let held = try HeldQueue(queue.name, prefetch: 100, connect: Self.connect)
            let first = try #require(try held.next())
            while !held.isFull { _ = try held.next() }
            _ = try held.next()
            #expect(throws: AMQPError.self) { try held.acknowledge([first]) }
            held.close()
            #expect(try eventually { try queue.client.status(ofQueue: queue.name).messages == 101 })
        }

        @Test func `ends where messages have gone meanwhile`() throws {
            let queue = try Numbered("classic", count: 3)
            let held = try HeldQueue(queue.name, connect: Self.connect)
            try queue.client.purgeQueue(queue.name)
            #expect(try held.next() == nil)
            #expect(try held.next() == nil)
        }

        @Test func `hands out a message that is long on its way`() throws {
            let queue = try Numbered("classic", count: 0)
            let body = [UInt8](repeating: UInt8(ascii: "x"), count: 30_000)
            #expect(try queue.client.publish([AMQPMessage(routingKey: queue.name, body: body)]) == [.confirmed])
            let relay = try Relay(to: Broker.address().port)
            defer { relay.close() }
            let held = try HeldQueue(queue.name) { () throws(AMQPError) in try Self.connect(port: relay.port) }
            defer { held.close() }
            relay.setPace(bytesPerSecond: 30_000)
            #expect(try held.next()?.message.body == body)
        }

        @Test func `is nobody else's`() throws {
            let queue = try Numbered("classic", count: 1)
            try queue.client.consume(from: queue.name, tag: "other")
            let error = #expect(throws: AMQPError.self) { try HeldQueue(queue.name, connect: Self.connect) }
            #expect(error?.description.contains("stop them first") == true)
            let missing = #expect(throws: AMQPError.self) {
                try HeldQueue(Broker.unique("none"), connect: Self.connect)
            }
            #expect(missing?.code == 404)
        }
    }
}
