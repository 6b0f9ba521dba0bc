import Testing
import WidgetAMQP
import WidgetTestSupport
import WidgetWorker

extension AgainstABroker {
    @Suite(.enabled(if: Broker.spreads, "the broker lacks rabbitmq_consistent_hash_exchange; deploy/test enables it"))
    struct `A source with shards` {
        @Test func `hands over the updates of a widget from one of them, and has work of all`() throws {
            let topology = ShardedSource.topology("spread", 4)
            defer { Broker.remove(topology) }
            let source = try ShardedSource(topology)
            #expect(source.becomesReady())
            try NumberedUpdate.publish(0..<3, widgets: 200, to: topology)
            #expect(source.receives(600))
            let deliveries = source.events.deliveries
            #expect(deliveries.map(\.position.tag) == Array(1...600))
            let queues = Dictionary(grouping: deliveries, by: \.message.routingKey).mapValues { Set($0.map(\.queue)) }
            #expect(queues.count == 200 && queues.values.allSatisfy { $0.count == 1 })
            // 50 on average; the hash is the same each time.
            let widgets = (0..<4).map { queue in queues.values.count { $0 == [queue] } }
            #expect(widgets.allSatisfy { $0 > 25 }, "\(widgets)")
            for widget in queues.keys {
                #expect(source.updates.filter { $0.widget == widget }.map(\.number) == [0, 1, 2])
            }
        }

        @Test func `acknowledges what came of all of them by one tag`() throws {
            let topology = ShardedSource.topology("acknowledge", 3)
            defer { Broker.remove(topology) }
            let source = try ShardedSource(topology)
            #expect(source.becomesReady())
            try NumberedUpdate.publish(0..<1, widgets: 60, to: topology)
            #expect(source.receives(60))
            source.source.acknowledge(upTo: DeliveryPosition(generation: 1, tag: 40))
            source.source.close()
            let client = try Broker.client()
            defer { client.close() }
            #expect(
                try eventually {
                    try topology.updatesQueues.map { try client.status(ofQueue: $0).messages }.reduce(0, +) == 20
                })
        }

        @Test func `is ready when each has its consumer, even where updates wait`() throws {
            let topology = ShardedSource.topology("ready", 3)
            defer { Broker.remove(topology) }
            #expect(try ShardedSource(topology).becomesReady())
            try NumberedUpdate.publish(0..<10, widgets: 60, to: topology)
            let source = try ShardedSource(topology)
            #expect(source.becomesReady())
            let client = try Broker.client()
            defer { client.close() }
            #expect(try topology.updatesQueues.map { try client.status(ofQueue: $0).consumers } == [1, 1, 1])
            #expect(source.receives(600))
            guard case .sourceReady = source.events.all.first else {
                Issue.record("something came before it was ready")
                return
            }
        }

        @Test func `consumes those it is told, and leaves the others to others`() throws {
            let topology = ShardedSource.topology("parts", 4, consuming: [0, 2])
            var others = topology
            others.consumedShards = [1, 3]
            defer { Broker.remove(topology) }
            let sources = try [ShardedSource(topology), ShardedSource(others)]
            #expect(sources.allSatisfy { $0.becomesReady() })
            try NumberedUpdate.publish(0..<2, widgets: 100, to: topology)
            let all = eventually {
                for source in sources { source.events.collect() }
                return sources.map(\.updates.count).reduce(0, +) >= 200
            }
            #expect(all)
            let widgets = sources.map { Set($0.updates.map(\.widget)) }
            #expect(widgets[0].isDisjoint(with: widgets[1]))
            #expect(widgets[0].count + widgets[1].count == 100)
            #expect(sources.map { Set($0.events.deliveries.map(\.queue)) } == [[0, 2], [1, 3]])
        }

        enum End: CaseIterable { case connectionLost, drained }

        @Test(.row(22), .row(24), arguments: Topology.QueueType.allCases, End.allCases)
        func `gives them to a standby with each widget's updates in order`(type: Topology.QueueType, end: End) throws {
            let topology = ShardedSource.topology("standby", 4, queueType: type)
            defer { Broker.remove(topology) }
            let relay = try Relay(to: Broker.address().port)
            defer { relay.close() }
            var address = try Broker.address()
            address.host = "127.0.0.1"
            address.port = relay.port
            let first = try ShardedSource(topology, address, prefetch: 400)
            #expect(first.becomesReady())
            let standby = try ShardedSource(topology)
            #expect(standby.becomesReady())

            // More than the prefetch: some are in hand, some wait.
            try NumberedUpdate.publish(0..<50, widgets: 20, to: topology)
            #expect(first.receives(300))
            first.source.acknowledge(upTo: DeliveryPosition(generation: 1, tag: 150))
            let acknowledged = first.updates.prefix(150)
            switch end {
            case .connectionLost:
                relay.hangUp()
            case .drained:
                first.source.cancel()
                #expect(first.events.waitUntil { if case .sourceCancelled = $0.last { true } else { false } })
                first.source.close()
            }
            try NumberedUpdate.publish(50..<60, widgets: 20, to: topology)

            let isLast = { (delivery: Delivery) in NumberedUpdate(delivery).number == 59 }
            #expect(standby.events.waitUntil { Events.deliveries($0).count(where: isLast) == 20 })
            let received = Dictionary(grouping: standby.updates, by: \.widget)
            for widget in (0..<20).map({ "acme.w\($0)" }) {
                let numbers = received[widget, default: []].map(\.number)
                // An acknowledgement that was on its way as the connection was lost may not have arrived.
                let firstWanted = acknowledged.count { $0.widget == widget }
                let start = try #require(numbers.first)
                #expect(start == firstWanted || end == .connectionLost && start < firstWanted)
                #expect(numbers == Array(start..<60))
            }
        }

        @Test(.row(22)) func `keeps each widget's order while workers come and go under load`() throws {
            let topology = ShardedSource.topology("come-and-go", 4, queueType: .quorum)
            defer { Broker.remove(topology) }
            // One mailbox for all, so that it has what they report in its order.
            let events = Events()
            var sources = [try ShardedSource(topology, prefetch: 10_000, events: events)]
            let (rounds, widgets) = (8, 40)
            for round in 0..<rounds {
                #expect(events.waitUntil { Events.generations($0).count == round + 1 })
                let before = events.deliveries.count
                try NumberedUpdate.publish(round * 10..<(round + 1) * 10, widgets: widgets, to: topology)
                #expect(events.waitUntil { Events.deliveries($0).count >= before + 100 })
                sources.append(try ShardedSource(topology, prefetch: 10_000, events: events))
                // Not all that it was given: the rest goes back.
                let tag = UInt64(Int.random(in: 1...100))
                sources.removeFirst().source.acknowledge(upTo: DeliveryPosition(generation: 1, tag: tag))
            }
            let all = rounds * 10 * widgets
            #expect(
                events.waitUntil { events in
                    if let last = Events.deliveries(events).last { sources[0].source.acknowledge(upTo: last.position) }
                    return Set(Events.deliveries(events).map(NumberedUpdate.init)).count == all
                })
            var next: [String: Int] = [:]
            for update in events.deliveries.map(NumberedUpdate.init) {
                // What comes again is at most the newest.
                #expect(update.number <= next[update.widget, default: 0], "\(update)")
                next[update.widget] = max(next[update.widget, default: 0], update.number + 1)
            }
        }

        @Test(.row(3)) func `names the one that is deleted, and consumes from all again`() throws {
            let topology = ShardedSource.topology("deleted", 3)
            defer { Broker.remove(topology) }
            let source = try ShardedSource(topology)
            #expect(source.becomesReady())
            let client = try Broker.client()
            try client.deleteQueue(topology.updatesQueues[1])
            client.close()
            #expect(source.becomesReady(generation: 2))
            #expect(Events.losses(source.events.all).first?.contains(topology.updatesQueues[1]) == true)
            #expect(Events.refusals(source.events.all) == [])
            try NumberedUpdate.publish(0..<1, widgets: 60, to: topology)
            #expect(source.receives(60))
            #expect(Set(source.events.deliveries.map(\.queue)) == [0, 1, 2])
        }
    }
}
