import Testing
import WidgetAMQP
import WidgetTestSupport
import WidgetWorker

extension AgainstABroker {
    @Suite struct `The publisher, when things go wrong,` {
        /// A publisher on exchanges of its own, and what it reports.
        final class Subject {
            let topology: Topology
            let events = Events()
            let publisher: AMQPPublisher
            let client: AMQPClient

            init(
                _ word: String, _ address: AMQPAddress? = nil, topology: Topology? = nil, confirmDeadline: Int = 30_000
            ) throws {
                let topology = topology ?? Broker.topology(word)
                self.topology = topology
                client = try Broker.client()
                publisher = AMQPPublisher(
                    addresses: [try address ?? Broker.address()], topology: topology,
                    backoff: Backoff(Backoff.Bounds(first: 20, longest: 200, slowFirst: 50, slowLongest: 200)),
                    confirmDeadline: confirmDeadline, refusalPause: 100)
                publisher.start(reportingTo: events.mailbox)
            }

            func isReady(times: Int = 1) -> Bool {
                events.waitUntil { Events.publisherReadies($0) >= times }
            }

            func publish(_ number: Int64, _ outcomes: [(key: String, id: String, body: [UInt8])]) {
                var batch = OutcomeBatch()
                for outcome in outcomes {
                    var envelope = OutcomeEnvelope(destination: .accepted, routingKey: outcome.key)
                    envelope.messageID = Array(outcome.id.utf8)
                    batch.append(envelope) { $0 += outcome.body }
                }
                publisher.publish(NumberedOutcomes(number: number, outcomes: batch))
            }

            func confirmed(_ numbers: [Int64]) -> Bool {
                events.waitUntil { Events.confirmations($0).map(\.batch) == numbers }
            }

            /// Everything in the fan-out queue, by id.
            func fanout(_ count: Int) throws -> [String] {
                try client.consume(from: topology.fanoutQueue, tag: "test", prefetch: 0)
                var ids: [String] = []
                while ids.count < count, let delivery = try client.receive(waitingMilliseconds: 60_000) {
                    ids.append(delivery.message.messageID ?? "")
                    try client.acknowledge(delivery)
                }
                return ids
            }

            func end() {
                publisher.close()
                client.close()
                Broker.remove(topology)
            }
        }

        @Test(.row(16)) func `flags exactly what no queue takes`() throws {
            let subject = try Subject("unroutable")
            defer { subject.end() }
            #expect(subject.isReady())
            try subject.client.bindQueue(
                subject.topology.fanoutQueue, to: subject.topology.acceptedExchange, key: "yes")
            try subject.client.unbindQueue(
                subject.topology.fanoutQueue, from: subject.topology.acceptedExchange, key: "#")
            subject.publish(1, (0..<20).map { ($0 % 2 == 0 ? "yes" : "no", "id-\($0)", [1]) })
            #expect(subject.confirmed([1]))
            #expect(
                Events.confirmations(subject.events.all).map(\.unroutable)
                    == [(0..<20).filter { $0 % 2 == 1 }])
        }

        @Test func `does not flag a receipt whose reply queue is gone`() throws {
            let subject = try Subject("receipt")
            defer { subject.end() }
            #expect(subject.isReady())
            var batch = OutcomeBatch()
            var receipt = OutcomeEnvelope(destination: .reply, routingKey: Broker.unique("gone"))
            receipt.messageID = Array("same".utf8)
            batch.append(receipt) { $0 += [1] }
            receipt.messageID = nil
            batch.append(receipt) { $0 += [2] }
            var accepted = OutcomeEnvelope(destination: .accepted, routingKey: "a")
            accepted.messageID = Array("same".utf8)
            batch.append(accepted) { $0 += [3] }
            subject.publisher.publish(NumberedOutcomes(number: 4, outcomes: batch))
            #expect(subject.confirmed([4]))
            #expect(Events.confirmations(subject.events.all).flatMap(\.unroutable) == [])
        }

        @Test func `delivers a receipt to the sender's queue`() throws {
            let subject = try Subject("reply")
            defer { subject.end() }
            let queue = try subject.client.declareQueue(exclusive: true).name
            var receipt = OutcomeEnvelope(destination: .reply, routingKey: queue)
            receipt.correlationID = Array("c-1".utf8)
            receipt.messageID = Array("receipt:m-1".utf8)
            (receipt.account, receipt.slug) = ("acme", "one")
            var batch = OutcomeBatch()
            batch.append(receipt) { $0 += Array("{}".utf8) }
            subject.publisher.publish(NumberedOutcomes(number: 1, outcomes: batch))
            #expect(subject.confirmed([1]))
            try subject.client.consume(from: queue, tag: "test")
            let found = try #require(try subject.client.receive(waitingMilliseconds: 60_000)).message
            #expect(found.correlationID == "c-1")
            #expect(found.messageID == "receipt:m-1")
            #expect(found.contentType == "application/json")
            #expect(found.exchange == "")
            #expect(found.headers.isEmpty)
        }

        @Test func `calls a rejection a problem`() throws {
            let subject = try Subject("problem")
            defer { subject.end() }
            var rejection = OutcomeEnvelope(destination: .rejected, routingKey: "acme.one.widget.invalid")
            rejection.type = "widget.rejected"
            rejection.code = "widget.invalid"
            var batch = OutcomeBatch()
            batch.append(rejection) { $0 += Array("{}".utf8) }
            subject.publisher.publish(NumberedOutcomes(number: 1, outcomes: batch))
            #expect(subject.confirmed([1]))
            try subject.client.consume(from: subject.topology.rejectionsQueue, tag: "test")
            let found = try #require(try subject.client.receive(waitingMilliseconds: 60_000)).message
            #expect(found.contentType == "application/problem+json")
            #expect(found.header("code") == .text("widget.invalid"))
        }

        @Test(.row(6)) func `says that its exchange is gone, and publishes once it is back`() throws {
            var topology = Broker.topology("exchange")
            let prepared = try Subject("", topology: topology)
            #expect(prepared.isReady())
            prepared.publisher.close()
            topology.mode = .check
            let subject = try Subject("", topology: topology)
            defer { subject.end() }
            #expect(subject.isReady())
            try subject.client.deleteExchange(topology.acceptedExchange)
            subject.publish(1, [("a", "id-1", [1])])
            #expect(subject.events.waitUntil { !Events.losses($0).isEmpty })
            #expect(Events.losses(subject.events.all).first?.contains("404") == true)
            #expect(Events.confirmations(subject.events.all).isEmpty)
            try subject.client.declareExchange(topology.acceptedExchange, type: "topic")
            try subject.client.bindQueue(topology.fanoutQueue, to: topology.acceptedExchange, key: "#")
            #expect(subject.confirmed([1]))
            #expect(try subject.fanout(1) == ["id-1"])
        }

        @Test(.row(6)) func `declares its exchange again when it may`() throws {
            let subject = try Subject("again")
            defer { subject.end() }
            #expect(subject.isReady())
            try subject.client.deleteExchange(subject.topology.acceptedExchange)
            subject.publish(1, [("a", "id-1", [1]), ("a", "id-2", [1])])
            #expect(subject.confirmed([1]))
            #expect(Events.losses(subject.events.all).count == 1)
            #expect(try subject.fanout(2) == ["id-1", "id-2"])
        }

        @Test func `publishes again, in order, what was not confirmed when the connection was cut`() throws {
            let relay = try Relay(to: Broker.address().port)
            defer { relay.close() }
            var address = try Broker.address()
            address.host = "127.0.0.1"
            address.port = relay.port
            let subject = try Subject("cut", address)
            defer { subject.end() }
            #expect(subject.isReady())
            relay.fallSilent()
            for number in Int64(1)...3 {
                subject.publish(number, (0..<50).map { ("a", "id-\(number)-\($0)", [1]) })
            }
            #expect(!subject.events.waitUntil(seconds: 1) { !Events.confirmations($0).isEmpty })
            relay.hangUp()
            #expect(subject.isReady(times: 2))
            #expect(subject.confirmed([1, 2, 3]))
            #expect(
                try subject.fanout(150) == (1...3).flatMap { number in (0..<50).map { "id-\(number)-\($0)" } })
        }

        @Test func `gives up a broker that confirms nothing`() throws {
            let relay = try Relay(to: Broker.address().port)
            defer { relay.close() }
            var address = try Broker.address("heartbeat=0")
            address.host = "127.0.0.1"
            address.port = relay.port
            let subject = try Subject("deadline", address, confirmDeadline: 500)
            defer { subject.end() }
            #expect(subject.isReady())
            relay.fallSilent()
            subject.publish(1, [("a", "id-1", [1])])
            #expect(subject.events.waitUntil { !Events.losses($0).isEmpty })
            #expect(Events.losses(subject.events.all).first?.contains("no confirm for 500 ms") == true)
            relay.hangUp()
            #expect(subject.confirmed([1]))
        }

        @Test func `tries a refused outcome again until it is taken`() throws {
            var topology = Broker.topology("refused")
            let prepared = try Subject("", topology: topology)
            #expect(prepared.isReady())
            prepared.publisher.close()
            try prepared.client.deleteQueue(topology.fanoutQueue)
            _ = try prepared.client.declareQueue(
                topology.fanoutQueue, durable: true,
                arguments: [("x-max-length", .integer(1)), ("x-overflow", .text("reject-publish"))])
            try prepared.client.bindQueue(topology.fanoutQueue, to: topology.acceptedExchange, key: "#")
            topology.mode = .check
            let subject = try Subject("", topology: topology)
            defer { subject.end() }
            subject.publish(1, [("a", "id-1", [1])])
            #expect(subject.confirmed([1]))
            subject.publish(2, [("a", "id-2", [1])])
            #expect(!subject.events.waitUntil(seconds: 1) { Events.confirmations($0).count > 1 })
            #expect(try subject.fanout(2) == ["id-1", "id-2"])
            #expect(subject.confirmed([1, 2]))
            #expect(Events.losses(subject.events.all) == [])
        }

        @Test func `sends large bodies and odd sizes whole`() throws {
            let subject = try Subject("sizes")
            defer { subject.end() }
            // Around one and two frames of 131 072 octets, of which 8 are the frame's own.
            let sizes = [0, 1, 131_063, 131_064, 131_065, 262_128, 262_129, 300_000]
            subject.publish(1, sizes.map { size in ("a", "id-\(size)", (0..<size).map { UInt8($0 & 255) }) })
            #expect(subject.confirmed([1]))
            var settings = ConnectionSettings()
            settings.maximumBody = 1024 * 1024
            let client = try AMQPClient(Broker.address(), settings: settings)
            try client.consume(from: subject.topology.fanoutQueue, tag: "test")
            for size in sizes {
                let body = try #require(try client.receive(waitingMilliseconds: 60_000)).message.body
                #expect(body.count == size)
                #expect(body.enumerated().allSatisfy { $0.element == UInt8($0.offset & 255) })
            }
            client.close()
        }

        @Test func `keeps up with more than the socket takes at once`() throws {
            let subject = try Subject("pressure")
            defer { subject.end() }
            let body = [UInt8](repeating: 7, count: 200 * 1024)
            for number in Int64(1)...10 {
                subject.publish(number, (0..<20).map { ("a", "id-\(number)-\($0)", body) })
            }
            #expect(subject.confirmed(Array(1...10)))
            #expect(Events.losses(subject.events.all) == [])
            #expect(try subject.client.status(ofQueue: subject.topology.fanoutQueue).messages == 200)
        }

        @Test func `cuts an id that is too long for its property`() throws {
            let subject = try Subject("long")
            defer { subject.end() }
            let id = "rejected:" + String(repeating: "i", count: 255)
            subject.publish(1, [("a", id, [1])])
            #expect(subject.confirmed([1]))
            #expect(try subject.fanout(1) == [String(id.prefix(255))])
        }

        @Test(.row(7)) func `leaves out trace headers that do not fit a frame, and flags what never fits`() throws {
            let subject = try Subject("properties")
            defer { subject.end() }
            let large = String(repeating: "x", count: 60_000)
            var traced = OutcomeEnvelope(destination: .accepted, routingKey: "a")
            traced.messageID = Array("traced".utf8)
            traced.code = large
            traced.traceparent = large
            traced.tracestate = large
            var never = OutcomeEnvelope(destination: .accepted, routingKey: String(repeating: "k", count: 256))
            never.messageID = Array("never".utf8)
            var batch = OutcomeBatch()
            batch.append(traced) { _ in }
            batch.append(never) { _ in }
            subject.publisher.publish(NumberedOutcomes(number: 1, outcomes: batch))
            subject.publish(2, [("a", "after", [1])])
            #expect(subject.confirmed([1, 2]))
            #expect(Events.confirmations(subject.events.all).map(\.unroutable) == [[1], []])
            #expect(try subject.fanout(2) == ["traced", "after"])
        }
    }
}
