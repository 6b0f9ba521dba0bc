import Testing
import WidgetAMQP
import WidgetWorker

extension AgainstABroker {
    @Suite struct `The publisher` {
        @Test func `sends accepted outcomes with the properties and headers of the protocol`() throws {
            let topology = Broker.topology("accepted")
            defer { Broker.remove(topology) }
            let events = Events()
            let publisher = AMQPPublisher(addresses: [try Broker.address()], topology: topology)
            publisher.start(reportingTo: events.mailbox)
            defer { publisher.close() }

            var envelope = OutcomeEnvelope(destination: .accepted, routingKey: "acme.one.progress")
            envelope.type = "widget.accepted"
            envelope.messageID = Array("acme/one@7".utf8)
            envelope.revision = 7
            envelope.timestamp = 1_700_000_000
            envelope.account = "acme"
            envelope.slug = "one"
            envelope.template = "progress"
            envelope.minAppVersion = "1.6"
            envelope.traceparent = "00-aa-bb-01"
            envelope.tracestate = "a=b"
            var batch = OutcomeBatch()
            batch.append(envelope) { $0 += Array("{\"revision\":7}".utf8) }
            publisher.publish(NumberedOutcomes(number: 1, outcomes: batch))
            #expect(events.waitUntil { Events.confirmations($0).map(\.batch) == [1] })
            #expect(Events.confirmations(events.all).flatMap(\.unroutable) == [])

            let client = try Broker.client()
            try client.consume(from: topology.fanoutQueue, tag: "test")
            let found = try #require(try client.receive(waitingMilliseconds: 60_000)).message
            client.close()
            #expect(found.exchange == topology.acceptedExchange)
            #expect(found.routingKey == "acme.one.progress")
            #expect(found.contentType == "application/json")
            #expect(found.type == "widget.accepted")
            #expect(found.messageID == "acme/one@7")
            #expect(found.timestamp == 1_700_000_000)
            #expect(found.isPersistent)
            #expect(
                found.sortedHeaders == [
                    AMQPHeader("account", .text("acme")), AMQPHeader("min_app_version", .text("1.6")),
                    AMQPHeader("revision", .integer(7)), AMQPHeader("slug", .text("one")),
                    AMQPHeader("template", .text("progress")), AMQPHeader("traceparent", .text("00-aa-bb-01")),
                    AMQPHeader("tracestate", .text("a=b")),
                ])
            #expect(found.body == Array("{\"revision\":7}".utf8))
        }

        @Test(arguments: [[], [(name: "x-queue-mode", value: AMQPArgument.text("lazy"))]])
        func `makes classic queues that keep outcomes on the disk alone, and takes what is there as it is`(
            found: [(name: String, value: AMQPArgument)]
        ) throws {
            let topology = Broker.topology("mode")
            defer { Broker.remove(topology) }
            let kind = (name: "x-queue-type", value: AMQPArgument.text("classic"))
            let client = try Broker.client()
            defer { client.close() }
            _ = try client.declareQueue(topology.fanoutQueue, durable: true, arguments: [kind] + found)
            let events = Events()
            let publisher = AMQPPublisher(addresses: [try Broker.address()], topology: topology)
            publisher.start(reportingTo: events.mailbox)
            defer { publisher.close() }
            #expect(events.waitUntil { Events.publisherReadies($0) == 1 })
            // The broker refuses a declaration that differs.
            _ = try client.declareQueue(topology.fanoutQueue, durable: true, arguments: [kind] + found)
            _ = try client.declareQueue(
                topology.rejectionsQueue, durable: true, arguments: [kind, ("x-queue-mode", .text("lazy"))])
        }
    }
}
