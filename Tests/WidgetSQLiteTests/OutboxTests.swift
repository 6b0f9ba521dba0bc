import Testing
import WidgetContract
import WidgetSQLite
import WidgetTestSupport
import WidgetTime
import WidgetWorker

/// Outcomes that are not settled, over the life of a file.
@Suite struct OutboxTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(
        "outcomes come back to the byte at every commit: from the store, killed and stopped, whatever is settled",
        arguments: [0, 1])
    func toTheByte(throttleSeconds: Int) throws {
        var random = SeededRandom(seed: 11)
        var desk = Desk(throttleSeconds: throttleSeconds)
        var open: [NumberedOutcomes] = []
        var store = try SQLiteStore(path: folder.file(), recentBytes: 20_000)
        for round in 1...200 {
            let settled = open.filter { _ in random.oneIn(3) }.map(\.number)
            open.removeAll { settled.contains($0.number) }
            var changes = try desk.decide((0..<12).map { _ in message(round, &random) }, in: store)
            changes.settled = settled
            for changes in [changes, try desk.pushDue(in: store)].compactMap(\.self) {
                open.append(NumberedOutcomes(number: try store.commit(changes).number, outcomes: changes.outcomes))
            }
            open.removeAll { $0.outcomes.isEmpty }
            #expect(try store.unsettledOutcomes() == open)
            guard round % 10 == 0 else { continue }
            try folder.copyDatabase(to: "killed-\(round).db")
            #expect(try SQLiteStore(path: folder.file("killed-\(round).db")).unsettledOutcomes() == open)
            guard round % 50 == 0 else { continue }
            while store.hasPutOffWork { try store.workAtLeisure() }
            #expect(try store.unsettledOutcomes() == open)
            try store.close()
            store = try SQLiteStore(path: folder.file(), recentBytes: 20_000)
            #expect(try store.unsettledOutcomes() == open)
        }
        #expect(open.count > 2)
        #expect(desk.destinations == [.accepted, .rejected, .reply])
    }

    @Test("what a state tells is not stored a second time with its fan-out")
    func once() throws {
        var desk = Desk()
        let store = try SQLiteStore(path: folder.file())
        let label = String(repeating: "x", count: 60)
        for value in ["0.1", "0.2"] {
            let create = #"{"name":"n","content":{"template":"progress","value":\#(value),"label":"\#(label)"}}"#
            let messages = (0..<50).map { Message.sample(create, key: "acme.w-\($0)", type: "widget.create") }
            _ = try store.commit(try desk.decide(messages, in: store))
        }
        let row = "SELECT length(outcomes) FROM outbox WHERE number = 2"
        #expect(try store.connection?.integer(row, during: "test") ?? .max < 50 * 40)
        #expect(try store.unsettledOutcomes().map(\.outcomes.count) == [50, 50])
    }

    @Test("an outcome whose state is gone is a damage, not another outcome")
    func damaged() throws {
        var desk = Desk()
        let store = try SQLiteStore(path: folder.file())
        for value in 1...2 { _ = try store.commit(try desk.decide([Self.create("w", "0.\(value)")], in: store)) }
        try store.connection?.execute("DELETE FROM recent_states", during: "test")
        let error = try #require(throws: StoreError.self) { try store.unsettledOutcomes() }
        #expect(!error.isTransient && error.description.contains("outbox"))
    }

    /// Creates, patches, deletions and wrong ones of a few widgets, so that a batch has several of one.
    private func message(_ round: Int, _ random: inout SeededRandom) -> Message {
        let slug = "w-\(random.below(9))"
        var message =
            switch random.below(6) {
            case 0: Message.sample("", key: "acme.\(slug)", type: "widget.delete")
            case 1: Message.sample(#"{"content":{"value":42}}"#, key: "acme.\(slug)")
            case 2: Message.sample(#"{"content":{"label":"é \#(round)","subtitle":null}}"#, key: "acme.\(slug)")
            default: Self.create(slug, "0.\(round)")
            }
        if random.oneIn(3) { message.traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01" }
        if random.oneIn(5) { message.tracestate = "vendor=\(round)" }
        if random.oneIn(4) { message.replyTo = "answers" }
        return message
    }

    private static func create(_ slug: String, _ value: String) -> Message {
        .sample(
            #"{"name":"n","content":{"template":"progress","value":\#(value),"label":"l"}}"#, key: "acme.\(slug)",
            type: "widget.create")
    }
}

/// Decides batches by a clock that each moves on.
private struct Desk {
    private var decider: BatchDecider
    private var now: Int64 = 1_800_000_000_000
    private(set) var destinations: Set<OutcomeDestination> = []

    init(throttleSeconds: Int = 0) {
        decider = BatchDecider(
            limits: MessageLimits(), cachedWidgets: 100, pushes: PushSchedule(throttleSeconds: throttleSeconds))
        decider.begin(queue: 0, remembered: [])
    }

    mutating func pushDue(in store: SQLiteStore) throws -> StoreChanges? {
        try decider.pushDue(now: Timestamp(milliseconds: now), steadyNow: now, limit: 100, store: store)
    }

    mutating func decide(_ messages: [Message], in store: SQLiteStore) throws -> StoreChanges {
        now += 400
        let moment = Timestamp(milliseconds: now)
        let changes = try decider.decide(
            messages.map { Delivery($0) }, now: { _ in moment }, steadyNow: now, store: store,
            each: { OutcomeWriter.write($1, of: $0, $2, to: &$3) })
        changes.outcomes.visit { destinations.insert($0.destination) }
        return changes
    }
}
