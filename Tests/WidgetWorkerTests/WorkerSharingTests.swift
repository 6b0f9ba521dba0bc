import Testing
import WidgetContract
import WidgetTestSupport

@testable import WidgetWorker

/// A worker whose store has other writers.
@Suite struct WorkerSharingTests {
    private static let address = WidgetAddress(account: "acme", slug: "pages")

    /// Another worker stores the widget as its revision of that number.
    private static func write(revision: Int64, value: Int, to store: MemoryStore) {
        var changes = StoreChanges(now: 0)
        changes.widgets = [
            StoredWidget(
                address: address, revision: revision, sequence: nil, createdAt: 0, updatedAt: 0,
                document: Array(#"{"name":"n","content":{"template":"value","value":\#(value)}}"#.utf8))
        ]
        _ = store.commit(changes)
    }

    private static func patch(_ members: String, id: String? = nil) -> Message {
        .sample(#"{"content":{\#(members)}}"#, key: "acme.pages", id: id)
    }

    @Test(
        "a batch that another worker was faster than is decided again on what that one stored",
        arguments: [true, false])
    func lostComparison(isOnlyConsumer: Bool) throws {
        let bench = WorkerBench(over: FailingStore(isShared: true), isOnlyConsumer: isOnlyConsumer)
        bench.source.deliver([.create()])
        try bench.until { bench.store.widget("pages")?.revision == 1 }
        bench.store.interfere { Self.write(revision: 2, value: 5, to: $0) }
        bench.source.deliver([Self.patch(#""unit":"s""#), Self.patch(#""label":"l""#)])
        try bench.until { bench.store.widget("pages")?.revision == 4 }
        let document = try #require(bench.store.widget("pages")?.document)
        #expect(
            String(decoding: document, as: UTF8.self)
                == #"{"name":"n","content":{"template":"value","value":5,"unit":"s","label":"l"}}"#)
        let summary = try bench.finish()
        #expect(summary.accepted == 3, "each message counts once")
    }

    @Test("a message without an id is decided once, however often its batch is decided again")
    func identity() throws {
        let bench = WorkerBench(over: FailingStore(isShared: true))
        bench.source.deliver([.create()])
        try bench.until { bench.store.widget("pages")?.revision == 1 }
        bench.source.lose()
        bench.source.connect()
        bench.store.interfere { Self.write(revision: 2, value: 5, to: $0) }
        bench.source.deliver([Self.patch(#""unit":"s""#)], redelivered: true)
        try bench.until { bench.store.widget("pages")?.revision == 3 }
        #expect(bench.store.commits.last?.deliveries.count == 1)
        #expect(try bench.finish().accepted == 2)
    }

    @Test("comparisons that are lost again and again end with the message decided")
    func contention() throws {
        let bench = WorkerBench(over: FailingStore(isShared: true), isOnlyConsumer: false)
        bench.source.deliver([.create()])
        try bench.until { bench.store.widget("pages")?.revision == 1 }
        bench.store.interfere(times: 5) { store in
            let revision = (store.load([Self.address])[0]?.revision ?? 0) + 1
            Self.write(revision: revision, value: Int(revision), to: store)
        }
        bench.source.deliver([Self.patch(#""unit":"s""#)])
        try bench.until {
            bench.clock.advance(milliseconds: 1)
            return bench.store.widget("pages")?.revision == 7
        }
        #expect(try bench.finish().accepted == 2)
    }

    @Test("what the consumer of a queue before left is published before anything newer of it, and recognised")
    func takeOver() throws {
        let store = FailingStore(isShared: true)
        let decided = Self.patch(#""value":1"#)
        store.leave(
            QueueLeftovers(
                outcomes: [NumberedOutcomes(number: -7, outcomes: .sample("left"))],
                deliveries: [MessageReader(limits: MessageLimits(), notes: NoCrashNotes()).fingerprint(of: decided)]),
            in: 1)
        let bench = WorkerBench(over: store, queues: 2)
        bench.source.deliver([.create(key: "acme.other")], from: 0)
        try bench.until { bench.publisher.numbers == [1] }
        #expect(store.takenOver == [0])
        bench.source.deliver([decided], from: 1, redelivered: true)
        bench.source.deliver([.create()], from: 1)
        try bench.until { bench.source.unacknowledgedTags.isEmpty }
        #expect(store.takenOver == [0, 1])
        #expect(bench.publisher.numbers.prefix(2) == [1, -7])
        let summary = try bench.finish()
        #expect(summary.accepted == 2 && summary.duplicates == 1 && summary.rejected == 0)
    }

    @Test("a queue is taken over again on each connection")
    func eachConnection() throws {
        let bench = WorkerBench(over: FailingStore(isShared: true))
        bench.source.deliver([.create()])
        try bench.until { bench.source.unacknowledgedTags.isEmpty }
        bench.source.lose()
        bench.source.connect()
        bench.source.deliver([Self.patch(#""value":1"#)])
        try bench.until { bench.source.unacknowledgedTags.isEmpty }
        #expect(bench.store.takenOver == [0, 0])
        _ = try bench.finish()
    }

    @Test("deliveries of a queue that another worker has taken over are left to it")
    func lostQueue() throws {
        let bench = WorkerBench(over: FailingStore(isShared: true))
        bench.source.deliver([.create()])
        try bench.until { bench.source.unacknowledgedTags.isEmpty }
        bench.store.lose(queues: [0])
        bench.source.deliver([Self.patch(#""value":1"#)])
        try bench.until { bench.hasLogged("another worker has taken over") }
        try bench.settle()
        #expect(bench.store.widget("pages")?.revision == 1)
        #expect(bench.source.acknowledged.count == 1)
        #expect(try bench.finish().accepted == 1)
    }

    @Test("what comes back of one queue says nothing about another")
    func queuesApart() throws {
        let bench = WorkerBench(over: FailingStore(isShared: true), queues: 2, confirmsAtOnce: false)
        bench.source.deliver([.create()], from: 0)
        try bench.until { bench.publisher.numbers == [1] }
        bench.source.lose()
        bench.store.leave(
            QueueLeftovers(deliveries: bench.store.commits.flatMap(\.deliveries).map(\.fingerprint)), in: 0)
        bench.source.connect()
        bench.source.deliver([.create(key: "acme.other")], from: 1)
        bench.source.redeliver()
        try bench.until { bench.publisher.numbers == [1, 2] }
        for number in Int64(1)...3 { bench.publisher.confirm(number) }
        try bench.until { bench.source.unacknowledgedTags.isEmpty }
        let summary = try bench.finish()
        #expect(summary.accepted == 2 && summary.duplicates == 1)
    }

    @Test("a push that another worker has made is not made again")
    func servedElsewhere() throws {
        let bench = WorkerBench(over: FailingStore(isShared: true), isOnlyConsumer: false, throttleSeconds: 15)
        bench.source.deliver([.create(), Self.patch(#""value":1"#)])
        // It is published after it is stored.
        try bench.until { bench.store.pending.count == 1 && bench.publisher.numbers == [1] }
        _ = try bench.store.commit(Self.withoutPending)
        bench.clock.advance(milliseconds: 15_000)
        try bench.settle()
        #expect(bench.publisher.numbers == [1])
        _ = try bench.finish()
    }

    private static var withoutPending: StoreChanges {
        var changes = StoreChanges(now: 0)
        changes.noLongerPending = [address]
        return changes
    }

    @Test("a push that a worker left, and outcomes it left, are made by another as time goes on")
    func abandoned() throws {
        let store = FailingStore(isShared: true)
        store.interfere { Self.write(revision: 3, value: 5, to: $0) }
        _ = try store.commit(StoreChanges(now: 0))
        let push = PendingPush(address: Self.address, dueAt: 0, window: 15_000, changed: [], updates: 2)
        var pending = StoreChanges(now: 0)
        pending.pending = [push]
        _ = try store.commit(pending)
        let bench = WorkerBench(over: store, throttleSeconds: 15)
        store.abandon(
            AbandonedWork(outcomes: [NumberedOutcomes(number: -7, outcomes: .sample("left"))], pushes: [push]))
        try bench.until {
            bench.clock.advance(milliseconds: 100)
            return bench.publisher.numbers == [-7, 4]
        }
        #expect(store.pending.isEmpty)
        _ = try bench.finish()
    }
}
