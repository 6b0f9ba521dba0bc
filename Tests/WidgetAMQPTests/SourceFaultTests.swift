import Testing
import WidgetAMQP
import WidgetTestSupport
import WidgetWorker

extension AgainstABroker {
    @Suite struct `The delivery source, when things go wrong,` {
        /// A source on queues of its own, and what it reports.
        final class Subject {
            let topology: Topology
            let events = Events()
            let source: AMQPDeliverySource

            init(
                _ word: String, _ address: AMQPAddress? = nil, topology: Topology? = nil, prefetch: Int = 100,
                bounds: Backoff.Bounds = Backoff.Bounds(first: 20, longest: 200, slowFirst: 50, slowLongest: 200)
            ) throws {
                let topology = topology ?? Broker.topology(word)
                self.topology = topology
                source = AMQPDeliverySource(
                    addresses: [try address ?? Broker.address()], topology: topology, prefetch: prefetch,
                    backoff: Backoff(bounds))
                source.start(reportingTo: events.mailbox)
            }

            func becomesReady(generation: UInt64 = 1) -> Bool {
                events.waitUntil { Events.generations($0).contains(generation) }
            }

            func publish(_ bodies: [[UInt8]]) throws {
                let client = try Broker.client()
                let messages = bodies.map {
                    AMQPMessage(exchange: topology.updatesExchange, routingKey: "acme.one", body: $0)
                }
                #expect(try client.publish(messages) == Array(repeating: .confirmed, count: bodies.count))
                client.close()
            }

            func end() {
                source.close()
                Broker.remove(topology)
            }
        }

        @Test(.row(1), .enabled(if: !Broker.usesTLS), arguments: [100, 5_000, 18_000])
        func `lives through header tables nested deep`(levels: Int) throws {
            let subject = try Subject("nested")
            defer { subject.end() }
            #expect(subject.becomesReady())
            try RawPublisher(Broker.address()).publish(
                queue: subject.topology.updatesQueue, headers: RawPublisher.nested(levels: levels),
                body: Array("deep".utf8))
            try subject.publish([Array("next".utf8)])
            #expect(subject.events.waitUntil { !Events.deliveries($0).isEmpty })
            let deep = try #require(subject.events.deliveries.first)
            // librabbitmq 0.14 and newer read a hundred levels and no more: then the rest of the message is missing.
            #expect(deep.message.body == Array("deep".utf8) || levels > 100 && deep.message.isUnreadable)
            subject.source.acknowledge(upTo: deep.position)
            #expect(subject.events.waitUntil { Events.deliveries($0).count == 2 })
            let next = try #require(subject.events.deliveries.last)
            #expect(next.message.body == Array("next".utf8))
            #expect(next.position.generation == (deep.message.isUnreadable ? 2 : 1))
            subject.source.acknowledge(upTo: next.position)
            subject.source.close()
            let client = try Broker.client()
            #expect(try eventually { try client.status(ofQueue: subject.topology.updatesQueue).messages == 0 })
            client.close()
        }

        @Test(.row(7)) func `takes 100 KiB of headers`() throws {
            let subject = try Subject("headers")
            defer { subject.end() }
            #expect(subject.becomesReady())
            var message = AMQPMessage(exchange: subject.topology.updatesExchange, routingKey: "acme.one", body: [1])
            message.headers = [
                AMQPHeader("pad", .text(String(repeating: "x", count: 100 * 1024))),
                AMQPHeader("tracestate", .text(String(repeating: "x", count: 2_000))),
                AMQPHeader("sequence", .text("7")), AMQPHeader("account", .integer(1)),
            ]
            let client = try Broker.client()
            #expect(try client.publish(message) == .confirmed)
            client.close()
            #expect(subject.events.waitUntil { Events.deliveries($0).count == 1 })
            let found = try #require(subject.events.deliveries.first).message
            #expect(found.tracestate == nil)
            #expect(found.sequence == nil)
            #expect(found.accountHeader == nil)
        }

        @Test(.row(7)) func `counts what a body has over the limit and keeps the connection`() throws {
            let subject = try Subject("large")
            defer { subject.end() }
            #expect(subject.becomesReady())
            let limit = ConnectionSettings().maximumBody
            let bodies = [
                Array(repeating: UInt8(1), count: 5 * 1024 * 1024), Array(repeating: 2, count: limit),
                Array(repeating: 3, count: limit + 1), [],
            ]
            try subject.publish(bodies)
            #expect(subject.events.waitUntil { Events.deliveries($0).count == 4 })
            let found = subject.events.deliveries.map(\.message)
            #expect(found.map(\.body.count) == [limit, limit, limit, 0])
            #expect(found.map(\.droppedBodyBytes) == [5 * 1024 * 1024 - limit, 0, 1, 0])
            #expect(found.map(\.routingKey) == Array(repeating: "acme.one", count: 4))
            #expect(found[1].body == bodies[1])
            #expect(Events.losses(subject.events.all) == [])
        }

        @Test(.row(3)) func `says so when its queue is deleted, and consumes again`() throws {
            let subject = try Subject("deleted")
            defer { subject.end() }
            #expect(subject.becomesReady())
            let client = try Broker.client()
            try client.deleteQueue(subject.topology.updatesQueue)
            client.close()
            #expect(subject.events.waitUntil { !Events.losses($0).isEmpty })
            #expect(subject.becomesReady(generation: 2))
            try subject.publish([[7]])
            #expect(subject.events.waitUntil { Events.deliveries($0).count == 1 })
            #expect(subject.events.deliveries.first?.position == DeliveryPosition(generation: 2, tag: 1))
        }

        @Test(.row(11)) func `drops an acknowledgement of an older connection`() throws {
            let relay = try Relay(to: Broker.address().port)
            defer { relay.close() }
            var address = try Broker.address()
            address.host = "127.0.0.1"
            address.port = relay.port
            let subject = try Subject("older", address)
            defer { subject.end() }
            #expect(subject.becomesReady())
            try subject.publish([[1], [2], [3]])
            #expect(subject.events.waitUntil { Events.deliveries($0).count == 3 })

            relay.hangUp()
            #expect(subject.becomesReady(generation: 2))
            #expect(subject.events.waitUntil { Events.deliveries($0).count == 6 })
            let again = subject.events.deliveries.suffix(3)
            #expect(again.map(\.position) == (1...3).map { DeliveryPosition(generation: 2, tag: $0) })
            #expect(again.allSatisfy { $0.redelivered })

            // Tag 3 of the first connection would be known to the second one, tag 9 would close its channel.
            subject.source.acknowledge(upTo: DeliveryPosition(generation: 1, tag: 9))
            subject.source.acknowledge(upTo: DeliveryPosition(generation: 2, tag: 2))
            try subject.publish([[4]])
            #expect(subject.events.waitUntil { Events.deliveries($0).count == 7 })
            #expect(Events.losses(subject.events.all).count == 1)
            subject.source.close()
            let client = try Broker.client()
            #expect(try eventually { try client.status(ofQueue: subject.topology.updatesQueue).messages == 2 })
            client.close()
        }

        @Test(.row(5)) func `keeps an idle connection alive with its heartbeats`() throws {
            let subject = try Subject("heartbeat", Broker.address("heartbeat=2"))
            defer { subject.end() }
            #expect(subject.becomesReady())
            #expect(!subject.events.waitUntil(seconds: 6) { !Events.losses($0).isEmpty })
            try subject.publish([[1]])
            #expect(subject.events.waitUntil { Events.deliveries($0).count == 1 })
            #expect(subject.events.deliveries.first?.position.generation == 1)
        }

        @Test(.row(5)) func `notices a silent peer within three heartbeats`() throws {
            let relay = try Relay(to: Broker.address().port)
            defer { relay.close() }
            var address = try Broker.address("heartbeat=3")
            address.host = "127.0.0.1"
            address.port = relay.port
            let subject = try Subject("silent", address)
            defer { subject.end() }
            #expect(subject.becomesReady())
            relay.fallSilent()
            #expect(subject.events.waitUntil(seconds: 9) { !Events.losses($0).isEmpty })
            #expect(Events.losses(subject.events.all).first?.contains("heartbeat") == true)
            relay.hangUp()
            #expect(subject.becomesReady(generation: 2))
        }

        @Test(.row(26)) func `shows what was wanted and what was found when a queue is of another kind`() throws {
            let topology = Broker.topology("inequivalent", queueType: .quorum)
            let client = try Broker.client()
            _ = try client.declareQueue(
                topology.updatesQueue, durable: true,
                arguments: [("x-queue-type", .text("classic")), ("x-single-active-consumer", .boolean(true))])
            let subject = try Subject("", topology: topology)
            defer { subject.end() }
            #expect(subject.events.waitUntil { !Events.refusals($0).isEmpty })
            let reason = try #require(Events.refusals(subject.events.all).first)
            for part in [topology.updatesQueue, "quorum", "classic", "406"] {
                #expect(reason.contains(part), "\(reason)")
            }
            // It goes on trying, so whoever removes the queue has it running again.
            try client.deleteQueue(topology.updatesQueue)
            client.close()
            #expect(subject.becomesReady())
        }

        @Test func `only looks, in mode check, and waits for what is not there`() throws {
            var topology = Broker.topology("check")
            topology.mode = .check
            let subject = try Subject("", topology: topology)
            defer { subject.end() }
            #expect(subject.events.waitUntil { !Events.losses($0).isEmpty })
            let reason = try #require(Events.losses(subject.events.all).first)
            #expect(reason.contains("404") && reason.contains(topology.updatesExchange), "\(reason)")
            #expect(Events.refusals(subject.events.all) == [])
            let client = try Broker.client()
            try client.declareExchange(topology.updatesExchange, type: "topic")
            _ = try client.declareQueue(topology.updatesQueue, durable: true)
            client.close()
            #expect(subject.becomesReady())
        }

        @Test(.row(27), arguments: ["wrong", "w%40r:%2F%23ng"])
        func `says that the password is wrong, without the password`(password: String) throws {
            var address = try Broker.address()
            address.password = try AMQPAddress("amqp://guest:\(password)@host").password
            let subject = try Subject("password", address)
            defer { subject.end() }
            #expect(subject.events.waitUntil { !Events.refusals($0).isEmpty })
            let reason = try #require(Events.refusals(subject.events.all).first)
            #expect(
                reason.contains("403") && reason.contains("password") && !reason.contains(address.password), "\(reason)"
            )
        }

        @Test(.row(27)) func `says that a virtual host is not there`() throws {
            var address = try Broker.address()
            address.virtualHost = "a/b"
            let subject = try Subject("host", address)
            defer { subject.end() }
            #expect(subject.events.waitUntil { !Events.refusals($0).isEmpty })
            #expect(Events.refusals(subject.events.all).first?.contains("a/b") == true)
        }

        @Test func `tries the next address when one does not answer`() throws {
            let topology = Broker.topology("several")
            defer { Broker.remove(topology) }
            let (listener, closed) = try Sockets.listen()
            Sockets.close(listener)
            var dead = AMQPAddress()
            dead.host = "127.0.0.1"
            dead.port = closed
            let events = Events()
            let source = AMQPDeliverySource(addresses: [dead, try Broker.address()], topology: topology, prefetch: 1)
            source.start(reportingTo: events.mailbox)
            defer { source.close() }
            #expect(events.waitUntil { Events.generations($0) == [1] })
            #expect(Events.losses(events.all).count == 1)
        }

        @Test(.row(24)) func `hands over what came before a cancel, then nothing more`() throws {
            let subject = try Subject("cancel", prefetch: 500)
            defer { subject.end() }
            #expect(subject.becomesReady())
            try subject.publish(Array(repeating: [1], count: 300))
            subject.source.cancel()
            #expect(
                subject.events.waitUntil { events in
                    events.contains { if case .sourceCancelled = $0 { true } else { false } }
                })
            let count = subject.events.deliveries.count
            guard case .sourceCancelled = subject.events.all.last else {
                Issue.record("something came after the cancel")
                return
            }
            try subject.publish([[2]])
            if let last = subject.events.deliveries.last { subject.source.acknowledge(upTo: last.position) }
            subject.source.close()
            #expect(!subject.events.waitUntil(seconds: 0) { $0.count > subject.events.all.count })
            #expect(subject.events.deliveries.count == count)
            let client = try Broker.client()
            #expect(
                try eventually { try client.status(ofQueue: subject.topology.updatesQueue).messages == 301 - count })
            client.close()
        }

        @Test func `ends at once when it is closed while it waits to reconnect`() throws {
            let (listener, closed) = try Sockets.listen()
            Sockets.close(listener)
            var dead = AMQPAddress()
            dead.host = "127.0.0.1"
            dead.port = closed
            let subject = try Subject(
                "waiting", dead, bounds: Backoff.Bounds(first: 60_000, longest: 60_000))
            #expect(subject.events.waitUntil { !Events.losses($0).isEmpty })
            let clock = ContinuousClock()
            let start = clock.now
            subject.source.close()
            // It would wait for a minute.
            #expect(clock.now - start < .seconds(30))
        }
    }
}
