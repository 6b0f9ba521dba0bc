import Testing
import WidgetAMQP
import WidgetTestSupport
import WidgetWorker

extension AgainstABroker {
    @Suite(.enabled(if: !Broker.usesTLS)) struct `The publisher's channels` {
        /// A publisher whose frames are read on their way to the broker.
        final class Subject {
            let topology: Topology
            let frames = PublishedFrames()
            let events = Events()
            let client: AMQPClient
            private let relay: Relay
            private let publisher: AMQPPublisher

            init(_ queueType: Topology.QueueType = .quorum) throws {
                topology = Broker.topology("channels", queueType: queueType)
                relay = try Relay(to: Broker.address().port) { [frames] in frames.take($0) }
                var address = try Broker.address()
                address.host = "127.0.0.1"
                address.port = relay.port
                client = try Broker.client()
                publisher = AMQPPublisher(addresses: [address], topology: topology)
                publisher.start(reportingTo: events.mailbox)
            }

            /// Publishes one outcome of each of these widgets.
            func publish(
                _ number: Int64, _ outcomes: [(to: OutcomeDestination, key: String, slug: String)], revision: Int64 = 0
            ) {
                var batch = OutcomeBatch()
                for outcome in outcomes {
                    var envelope = OutcomeEnvelope(destination: outcome.to, routingKey: outcome.key)
                    (envelope.account, envelope.slug, envelope.revision) = ("acme", outcome.slug, revision)
                    batch.append(envelope) { $0 += [1] }
                }
                publisher.publish(NumberedOutcomes(number: number, outcomes: batch))
            }

            func confirmed(_ numbers: ClosedRange<Int64>) -> Bool {
                events.waitUntil { Events.confirmations($0).map(\.batch) == Array(numbers) }
            }

            func end() {
                publisher.close()
                relay.close()
                client.close()
                Broker.remove(topology)
            }
        }

        private let widgets = (0..<20).map { "widget-\($0)" }
        private var fanOuts: [(to: OutcomeDestination, key: String, slug: String)] {
            widgets.map { (.accepted, $0, $0) }
        }

        @Test func `share the widgets, of which each keeps to one, with its revisions in order`() throws {
            let subject = try Subject()
            defer { subject.end() }
            for revision in Int64(1)...100 { subject.publish(revision, fanOuts, revision: revision) }
            #expect(subject.confirmed(1...100))
            let channels = subject.frames.channels
            #expect(channels.count == widgets.count)
            #expect(channels.values.allSatisfy { $0.count == 1 })
            #expect(Set(channels.values.flatMap(\.self)) == [1, 2])

            try subject.client.consume(from: subject.topology.fanoutQueue, tag: "test", prefetch: 0)
            var revisions: [String: [Int64]] = [:]
            for _ in 0..<(100 * widgets.count) {
                let message = try #require(try subject.client.receive(waitingMilliseconds: 60_000)).message
                guard case .integer(let revision) = message.header("revision") else { continue }
                revisions[message.routingKey, default: []].append(revision)
            }
            #expect(revisions.count == widgets.count)
            #expect(revisions.values.allSatisfy { $0 == Array(1...100) })
        }

        @Test func `are one before classic queues`() throws {
            let subject = try Subject(.classic)
            defer { subject.end() }
            subject.publish(1, fanOuts)
            #expect(subject.confirmed(1...1))
            #expect(Set(subject.frames.channels.values.flatMap(\.self)) == [1])
        }

        @Test func `carry a widget's rejections and receipts where they carry its revisions`() throws {
            let subject = try Subject()
            defer { subject.end() }
            subject.publish(1, fanOuts)
            subject.publish(2, widgets.map { (.rejected, "\($0).refused", $0) })
            subject.publish(3, widgets.map { (.reply, "\($0).reply", $0) })
            #expect(subject.confirmed(1...3))
            let channels = subject.frames.channels
            for slug in widgets {
                #expect(channels[slug]?.count == 1)
                #expect(channels["\(slug).refused"] == channels[slug])
                #expect(channels["\(slug).reply"] == channels[slug])
            }
        }

        @Test(.row(6)) func `end with their connection, for the broker's reason, when it closes one`() throws {
            let subject = try Subject()
            defer { subject.end() }
            subject.publish(1, fanOuts)
            #expect(subject.confirmed(1...1))
            for channel in 1...2 {
                let slug = try #require(widgets.first { subject.frames.channels[$0] == [channel] })
                try subject.client.deleteExchange(subject.topology.acceptedExchange)
                subject.publish(Int64(channel + 1), [(.accepted, slug, slug)])
                #expect(subject.confirmed(1...Int64(channel + 1)))
                let losses = Events.losses(subject.events.all)
                #expect(losses.count == channel && losses.allSatisfy { $0.contains("404") }, "\(losses)")
            }
        }
    }
}
