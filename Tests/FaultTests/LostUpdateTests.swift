import Foundation
import Testing
import WidgetAMQP
import WidgetTestSupport
import WorkerTestSupport

/// Several workers that patch one widget, while now one of them is killed, now another.
///
/// 2 000 members do not fit a widget: CONTRACT gives the headers of an action 1 024 bytes. So 50 take turns, and each
/// patch has a value of its own: the states tell which patch made each of them, and out of which.
@Suite(.enabled(if: WorkerProcess.isPossible, WorkerProcess.absence), .serialized)
struct LostUpdateTests {
    enum Sharing: String, CaseIterable {
        /// One worker at a time has the widget's shard.
        case shards
        /// All have deliveries of one queue, and only the store keeps them apart.
        case oneQueue
    }

    private static let (patches, members) = (2_000, 50)

    @Test("each patch of one widget is applied once, and on top of the one before", arguments: Sharing.allCases)
    func onePatchAState(_ sharing: Sharing) throws {
        let plan = FaultPlan.fromEnvironment
        var random = SeededRandom(seed: plan.seed)
        let store = StoreServer(server: try RedisServer(["--appendonly", "yes"]))
        let workers = try Self.workers(max(2, plan.workers), sharing, on: store)
        let first = workers[0]
        let pieces = plan.kills + 1
        for piece in 0..<pieces {
            let numbers = (piece * Self.patches / pieces)..<((piece + 1) * Self.patches / pieces)
            let before = first.messages(in: first.fanout)
            let results = try first.client.publish(numbers.map { Self.patch($0, to: first) })
            try #require(results.allSatisfy { $0 == .confirmed })
            let more = 1 + random.below(max(1, numbers.count / 2))
            #expect(first.waitUntil { first.messages(in: first.fanout) >= before + more })
            guard piece < plan.kills else { break }
            let victim = workers[random.below(workers.count)]
            victim.kill()
            try victim.start()
        }
        // Deliveries in hand do not count as waiting, so the states tell when all is decided; what a killed worker left
        // in the outbox is published when the others miss it.
        #expect(
            try first.waitUntil {
                try first.updatesQueues.allSatisfy { first.messages(in: $0) == 0 }
                    && first.messages(in: first.fanout) > Self.patches && store.unsettled() == 0
            })
        for worker in workers { #expect(worker.stop() == 0, "\(worker.log.suffix(1_000))") }
        #expect(first.messages(in: first.rejections) == 0)
        try Self.check(first.drain(first.fanout), inOrder: sharing == .shards, "seed \(plan.seed)")
    }

    /// Starts them, with the widget there.
    private static func workers(
        _ count: Int, _ sharing: Sharing, on store: StoreServer
    ) throws -> [WorkerProcess] {
        let first = try WorkerProcess()
        first.storeAddress = store.address
        first.shards = sharing == .shards ? 2 * count : 0
        first.options = ["--prefetch", String(20 * max(1, first.shards))]
        // It makes the topology.
        try first.startAndWait()
        _ = try first.client.publish([create(at: first)])
        #expect(first.waitUntil { first.messages(in: first.fanout) == 1 }, "\(first.log)")
        if sharing == .oneQueue {
            #expect(first.stop() == 0)
            _ = try first.client.deleteQueue(first.updates)
            _ = try first.client.declareQueue(first.updates, durable: true)
            try first.client.bindQueue(first.updates, to: first.updates, key: "#")
            first.options += ["--topology", "check"]
            try first.startAndWait()
        }
        let others = try (1..<count).map { _ in try WorkerProcess(beside: first) }
        for worker in others { try worker.startAndWait() }
        return [first] + others
    }

    private static func create(at worker: WorkerProcess) -> AMQPMessage {
        update(
            "create", type: "widget.create",
            #"{"name":"n","content":{"template":"value","value":0,"url_action":{"url":"https://example.com/","headers":{}}}}"#,
            worker)
    }

    private static func patch(_ number: Int, to worker: WorkerProcess) -> AMQPMessage {
        update(
            "patch-\(number)", type: "widget.patch",
            #"{"content":{"url_action":{"headers":{"h\#(number % members)":"\#(number)"}}}}"#, worker)
    }

    private static func update(_ id: String, type: String, _ body: String, _ worker: WorkerProcess) -> AMQPMessage {
        var message = AMQPMessage(exchange: worker.updates, routingKey: "acme.one", body: Array(body.utf8))
        (message.messageID, message.type) = (id, type)
        return message
    }

    private static func check(_ states: [AMQPMessage], inOrder: Bool, _ place: Comment) throws {
        var bodies: [String: [UInt8]] = [:]
        for state in states {
            let id = try #require(state.messageID)
            #expect(bodies.updateValue(state.body, forKey: id) ?? state.body == state.body, "two bodies for \(id)")
        }
        #expect(bodies.count == patches + 1, place)
        var before: [String: String] = [:]
        var applied: [Int] = []
        for revision in 2...patches + 1 {
            let body = try #require(bodies["acme/one@\(revision)"], "revision \(revision) is nowhere, \(place)")
            let headers = try headers(body)
            let changed = headers.filter { before[$0.key] != $0.value }
            let value = changed.first.flatMap { Int($0.value) } ?? -1
            #expect(
                changed.count == 1 && changed["h\(value % members)"] != nil
                    && before.keys.allSatisfy { headers[$0] != nil },
                "revision \(revision) is not the one before with one patch: \(changed), \(place)")
            applied.append(value)
            before = headers
        }
        #expect(applied.sorted() == Array(0..<patches), place)
        if inOrder { #expect(applied == Array(0..<patches), place) }
        #expect(before.count == members, place)
    }

    private static func headers(_ body: [UInt8]) throws -> [String: String] {
        let state = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
        let action = (state?["content"] as? [String: Any])?["url_action"] as? [String: Any]
        return try #require(action?["headers"] as? [String: String])
    }
}
