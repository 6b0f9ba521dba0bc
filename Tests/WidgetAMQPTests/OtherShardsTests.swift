import Foundation
import Testing
import WidgetAMQP
import WidgetTestSupport

extension AgainstABroker {
    @Suite(.enabled(if: Broker.spreads, "the broker lacks rabbitmq_consistent_hash_exchange; deploy/test enables it"))
    struct `A change of the number of shards` {
        /// The same names with another number of shards.
        private func with(_ shards: Int, _ topology: Topology) -> Topology {
            var other = topology
            other.shards = shards
            return other
        }

        /// Declares it, and leaves nobody who consumes.
        private func declare(_ topology: Topology) throws {
            #expect(try ShardedSource(topology).becomesReady())
        }

        @Test(arguments: [(0, 2, 0, "in place of queue"), (2, 0, 0, "run with --shards"), (3, 2, 2, "or more")])
        func `is refused while queues are there that nobody would consume`(
            before: Int, after: Int, extra: Int, words: String
        ) throws {
            let topology = ShardedSource.topology("other", before)
            defer { Broker.remove(topology) }
            try declare(topology)
            let wanted = with(after, topology)
            let source = try ShardedSource(wanted)
            let reason = try source.refusal()
            #expect(reason.contains(words) && reason.contains(topology.updatesQueues[extra]), "\(reason)")
            let client = try Broker.client()
            defer { client.close() }
            #expect(try client.inspect(wanted).contains { $0.state == .different && $0.words == reason })

            for queue in Set(topology.updatesQueues).subtracting(wanted.updatesQueues) {
                try client.deleteQueue(queue)
            }
            #expect(source.becomesReady())
            Broker.remove(wanted)
        }

        @Test func `to more is refused while there are updates or workers, and made when there are none`() throws {
            let topology = ShardedSource.topology("more", 2)
            let wanted = with(4, topology)
            defer { Broker.remove(wanted) }
            let old = try ShardedSource(topology)
            #expect(old.becomesReady())
            let source = try ShardedSource(wanted)
            let reason = try source.refusal()
            #expect(reason.contains("wanted 4 shards, found 2 in use") && reason.contains("1 consumers"), "\(reason)")

            old.source.close()
            #expect(source.becomesReady())
            source.source.close()
            let client = try Broker.client()
            defer { client.close() }
            try client.deleteQueue(wanted.updatesQueues[3])
            try NumberedUpdate.publish(0..<1, widgets: 20, to: wanted)
            #expect(try ShardedSource(wanted).refusal().contains("0 consumers"))
        }

        @Test func `is no gap: a shard that was deleted is declared again`() throws {
            let topology = ShardedSource.topology("gap", 3)
            defer { Broker.remove(topology) }
            try declare(topology)
            try NumberedUpdate.publish(0..<1, widgets: 30, to: topology)
            let client = try Broker.client()
            defer { client.close() }
            try client.deleteQueue(topology.updatesQueues[1])
            #expect(try ShardedSource(topology).becomesReady())
        }
    }

    @Suite(.enabled(if: Broker.spreads, "the broker lacks rabbitmq_consistent_hash_exchange; deploy/test enables it"))
    struct `The look at shards` {
        @Test func `tells what is missing and what is different, and changes nothing`() throws {
            var topology = ShardedSource.topology("look", 3)
            defer { Broker.remove(topology) }
            let client = try Broker.client()
            defer { client.close() }
            #expect(try client.inspect(topology).allSatisfy { $0.state == .missing })
            try client.declareExchange(topology.shardsExchange, type: "topic")
            _ = try client.declareQueue(topology.updatesQueues[1], durable: true)
            topology.mode = .check
            let source = try ShardedSource(topology)
            #expect(source.events.waitUntil { !Events.losses($0).isEmpty })
            #expect(Events.losses(source.events.all).first?.contains("--topology create") == true)

            let findings = try client.inspect(topology)
            #expect(findings.count { $0.state == .missing } == 7)
            let different = findings.filter { $0.state == .different }.map(\.words)
            #expect(different.count == 2, "\(different)")
            #expect(different[0].contains("current is 'topic'"), "\(different)")
            #expect(different[1].contains("x-single-active-consumer"), "\(different)")
        }

        @Test func `finds all as wanted where a worker has declared it`() throws {
            let topology = ShardedSource.topology("as-wanted", 2, queueType: .quorum)
            defer { Broker.remove(topology) }
            #expect(try ShardedSource(topology).becomesReady())
            let client = try Broker.client()
            defer { client.close() }
            let findings = try client.inspect(topology).filter { $0.wanted.contains("updates") }
            #expect(findings.count == 4 && findings.allSatisfy { $0.state == .asWanted }, "\(findings)")
        }
    }
}

@Suite(.enabled(if: PrivateBroker.isPossible, PrivateBroker.absence)) struct `A broker without the plugin for shards` {
    @Test func `is told with what to enable, and serves once that is done`() throws {
        let broker = try PrivateBroker()
        let topology = ShardedSource.topology("plugin", 2)
        let address = try AMQPAddress(broker.url)
        let source = try ShardedSource(topology, address)
        let reason = try source.refusal()
        for part in [topology.shardsExchange, "unknown exchange type", "rabbitmq-plugins enable"] {
            #expect(reason.contains(part) && !reason.contains("\n"), "\(reason)")
        }
        #expect(source.events.waitUntil { Events.refusals($0).count > 2 })

        let client = try AMQPClient(address)
        let finding = try #require(try client.inspect(topology).first { $0.state == .different })
        #expect(finding.words.contains("rabbitmq-plugins enable rabbitmq_consistent_hash_exchange"), "\(finding)")

        try "[rabbitmq_consistent_hash_exchange].\n".write(
            to: broker.folder.appending(path: "enabled_plugins"), atomically: true, encoding: .utf8)
        try broker.restart()
        #expect(source.events.waitUntil(seconds: 40) { !Events.generations($0).isEmpty })
        source.source.close()
    }
}
