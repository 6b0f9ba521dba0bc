import Testing
import WidgetAMQP
import WidgetTestSupport
import WidgetWorker

extension AgainstABroker {
    @Suite struct `A connection is renewed` {
        private let topology = Broker.topology("renewal")
        private let events = Events()

        private func message(_ number: UInt8) -> AMQPMessage {
            AMQPMessage(exchange: topology.updatesExchange, routingKey: "acme.one", body: [number])
        }

        private var bodies: [[UInt8]] { Events.deliveries(events.all).map(\.message.body) }

        @Test func `when all that was handed over is acknowledged, and what comes meanwhile comes on the next`() throws
        {
            let source = AMQPDeliverySource(addresses: [try Broker.address()], topology: topology, prefetch: 10)
            source.start(reportingTo: events.mailbox)
            defer { source.close() }
            let client = try Broker.client()
            defer {
                Broker.remove(topology)
                client.close()
            }
            #expect(events.waitUntil { Events.generations($0) == [1] })
            _ = try client.publish([message(1), message(2)])
            #expect(events.waitUntil { _ in bodies == [[1], [2]] })
            source.acknowledge(upTo: DeliveryPosition(generation: 1, tag: 1))
            source.renew([try Broker.address()])
            _ = try client.publish(message(3))
            #expect(!events.waitUntil(seconds: 1) { Events.generations($0) != [1] || bodies.count > 2 })
            source.acknowledge(upTo: DeliveryPosition(generation: 1, tag: 2))
            #expect(events.waitUntil { Events.generations($0) == [1, 2] })
            #expect(events.waitUntil { _ in bodies == [[1], [2], [3]] })
            #expect(Events.losses(events.all).isEmpty)
            #expect(events.all.contains { if case .sourceClosedInOrder = $0 { true } else { false } })
            source.acknowledge(upTo: DeliveryPosition(generation: 2, tag: 1))
            #expect(try eventually { try client.status(ofQueue: topology.updatesQueue).messages == 0 })
        }

        @Test func `to its new addresses also when it is lost before all is acknowledged`() throws {
            let relay = try Relay(to: Broker.address().port)
            defer { relay.close() }
            var relayed = try Broker.address()
            relayed.host = "127.0.0.1"
            relayed.port = relay.port
            let source = AMQPDeliverySource(addresses: [relayed], topology: topology, prefetch: 10)
            source.start(reportingTo: events.mailbox)
            let client = try Broker.client()
            defer {
                source.close()
                Broker.remove(topology)
                client.close()
            }
            #expect(events.waitUntil { Events.generations($0) == [1] })
            _ = try client.publish(message(1))
            #expect(events.waitUntil { _ in bodies == [[1]] })
            source.renew([try Broker.address()])
            #expect(!events.waitUntil(seconds: 1) { Events.generations($0) != [1] })
            relay.close()
            #expect(events.waitUntil { Events.generations($0) == [1, 2] })
            #expect(events.waitUntil { _ in bodies == [[1], [1]] })
            #expect(!events.all.contains { if case .sourceClosedInOrder = $0 { true } else { false } })
        }

        @Test func `when all that was published is confirmed, and no outcome is published twice`() throws {
            let publisher = AMQPPublisher(addresses: [try Broker.address()], topology: topology)
            publisher.start(reportingTo: events.mailbox)
            defer { publisher.close() }
            let client = try Broker.client()
            defer {
                Broker.remove(topology)
                client.close()
            }
            for number in 1...200 {
                var batch = OutcomeBatch()
                for outcome in 0..<20 {
                    batch.append(OutcomeEnvelope(destination: .accepted, routingKey: "a.\(outcome)")) {
                        $0 += [UInt8(outcome)]
                    }
                }
                publisher.publish(NumberedOutcomes(number: Int64(number), outcomes: batch))
                if number == 100 { publisher.renew([try Broker.address()]) }
            }
            #expect(events.waitUntil { Events.confirmations($0).map(\.batch) == Array(1...200) })
            #expect(events.waitUntil { Events.publisherReadies($0) == 2 })
            #expect(Events.losses(events.all).isEmpty)
            #expect(try client.status(ofQueue: topology.fanoutQueue).messages == 4_000)
        }

        @Test func `to another broker at once while the one before is not there`() throws {
            var nowhere = try Broker.address()
            nowhere.port = 1
            let slow = Backoff(random: { _ in 60_000 })
            let source = AMQPDeliverySource(addresses: [nowhere], topology: topology, prefetch: 10, backoff: slow)
            let publisher = AMQPPublisher(addresses: [nowhere], topology: topology, backoff: slow)
            source.start(reportingTo: events.mailbox)
            publisher.start(reportingTo: events.mailbox)
            defer {
                source.close()
                publisher.close()
                Broker.remove(topology)
            }
            #expect(events.waitUntil { Events.losses($0).count == 2 })
            source.renew([try Broker.address()])
            publisher.renew([try Broker.address()])
            #expect(events.waitUntil { Events.generations($0) == [1] && Events.publisherReadies($0) == 1 })
        }
    }
}
