import Testing
import WidgetAMQP
import WidgetTestSupport
import WidgetWorker

extension AgainstABroker {
    @Suite struct `The delivery source` {
        private func publish(_ topology: Topology, _ bodies: [String]) throws {
            let client = try Broker.client()
            let messages = bodies.map { body in
                AMQPMessage(exchange: topology.updatesExchange, routingKey: "acme.one", body: Array(body.utf8))
            }
            #expect(try client.publish(messages).allSatisfy { $0 == .confirmed })
            client.close()
        }

        @Test func `hands over every property and header the worker reads`() throws {
            let topology = Broker.topology("properties")
            defer { Broker.remove(topology) }
            let events = Events()
            let source = AMQPDeliverySource(addresses: [try Broker.address()], topology: topology, prefetch: 10)
            source.start(reportingTo: events.mailbox)
            defer { source.close() }
            #expect(events.waitUntil { !Events.generations($0).isEmpty })

            var message = AMQPMessage(
                exchange: topology.updatesExchange, routingKey: "acme.one", body: Array("{}".utf8))
            message.contentType = "application/json"
            message.contentEncoding = "identity"
            message.type = "widget.patch"
            message.messageID = "m-1"
            message.correlationID = "c-1"
            message.replyTo = "replies"
            message.userID = "guest"
            message.timestamp = 1_700_000_000
            message.headers = [
                AMQPHeader("account", .text("acme")), AMQPHeader("sequence", .integer(42)),
                AMQPHeader("traceparent", .text("00-aa-bb-01")), AMQPHeader("tracestate", .text("a=b")),
                AMQPHeader("other", .boolean(true)),
            ]
            let client = try Broker.client()
            #expect(try client.publish(message) == .confirmed)
            client.close()

            #expect(events.waitUntil { Events.deliveries($0).count == 1 })
            let delivery = try #require(events.deliveries.first)
            #expect(delivery.position == DeliveryPosition(generation: 1, tag: 1))
            #expect(!delivery.redelivered)
            let found = delivery.message
            #expect(found.exchange == topology.updatesExchange)
            #expect(found.routingKey == "acme.one")
            #expect(found.contentType == "application/json")
            #expect(found.contentEncoding == "identity")
            #expect(found.type == "widget.patch")
            #expect(found.messageID == Array("m-1".utf8))
            #expect(found.correlationID == Array("c-1".utf8))
            #expect(found.replyTo == "replies")
            #expect(found.userID == "guest")
            #expect(found.timestamp == 1_700_000_000)
            #expect(found.accountHeader == "acme")
            #expect(found.sequence == 42)
            #expect(found.traceparent == "00-aa-bb-01")
            #expect(found.tracestate == "a=b")
            #expect(found.body == Array("{}".utf8))
            #expect(found.droppedBodyBytes == 0)
        }

        @Test(.row(22)) func `is a standby while another one consumes the queue, and takes over from it`() throws {
            let topology = Broker.topology("standby")
            defer { Broker.remove(topology) }
            let (first, second) = (Events(), Events())
            let sources = [first, second].map { _ in
                AMQPDeliverySource(addresses: (try? [Broker.address()]) ?? [], topology: topology, prefetch: 10)
            }
            defer { for source in sources { source.close() } }
            sources[0].start(reportingTo: first.mailbox)
            #expect(first.waitUntil { !Events.generations($0).isEmpty })
            sources[1].start(reportingTo: second.mailbox)
            #expect(second.waitUntil { !Events.generations($0).isEmpty })
            try publish(topology, ["1", "2", "3"])
            #expect(first.waitUntil { Events.deliveries($0).count == 3 })
            #expect(!second.waitUntil(seconds: 1) { !Events.deliveries($0).isEmpty })
            sources[0].acknowledge(upTo: DeliveryPosition(generation: 1, tag: 1))
            sources[0].close()
            #expect(second.waitUntil { Events.deliveries($0).count == 2 })
            #expect(second.deliveries.map(\.message.body) == ["2", "3"].map { Array($0.utf8) })
        }

        @Test func `acknowledged deliveries do not come back, the others do`() throws {
            let topology = Broker.topology("acknowledge")
            defer { Broker.remove(topology) }
            let events = Events()
            let source = AMQPDeliverySource(addresses: [try Broker.address()], topology: topology, prefetch: 10)
            source.start(reportingTo: events.mailbox)
            #expect(events.waitUntil { !Events.generations($0).isEmpty })
            try publish(topology, ["1", "2", "3"])
            #expect(events.waitUntil { Events.deliveries($0).count == 3 })
            source.acknowledge(upTo: DeliveryPosition(generation: 1, tag: 2))
            source.close()

            let client = try Broker.client()
            #expect(try eventually { try client.status(ofQueue: topology.updatesQueue).messages == 1 })
            client.close()
        }
    }
}
