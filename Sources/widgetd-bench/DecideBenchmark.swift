import WidgetContract
import WidgetTime
import WidgetWorker

/// Read, look up, merge, judge and write, in memory: all that a message costs besides transport and store.
final class DecideBenchmark {
    typealias Batch = [Delivery]

    private let mix: MessageMix
    private var decider: BatchDecider
    private let store = MemoryStore()
    private let now = Timestamp(seconds: 1_796_040_000)
    private let peer: Peer?
    /// Number of the last commit.
    private var lastCommit: Int64?
    private(set) var inputBytes = 0
    private(set) var outcomes = 0
    private(set) var outcomeBytes = 0
    private var bodyBytes = 0
    static let batchSize = 500

    /// - Parameters:
    ///   - hot: how many of the widgets are updated at all.
    ///   - wrong: of a thousand updates, so many are wrong.
    ///   - hasPeer: the peer knows the widgets, too.
    ///   - throttle: seconds; `nil` for a worker that pushes nothing at all.
    init(widgets: Int, hot: Int? = nil, wrong: Int = 15, hasPeer: Bool = true, throttle: Int? = 0) throws {
        mix = MessageMix(widgets: widgets, hot: hot ?? widgets, wrong: wrong)
        peer = hasPeer ? Peer() : nil
        var limits = MessageLimits()
        limits.mostWidgets = 0
        decider = BatchDecider(
            limits: limits, cachedWidgets: widgets, pushes: throttle.map { PushSchedule(throttleSeconds: $0) })
        decider.begin(queue: 0, remembered: [])
        for start in stride(from: 0, to: widgets, by: Self.batchSize) {
            let batch = batch(start, min(Self.batchSize, widgets - start))
            _ = try decide(batch)
            _ = peer?.decide(Peer.Bodies(batch))
        }
        (inputBytes, outcomes, outcomeBytes, bodyBytes) = (0, 0, 0, 0)
    }

    /// Messages of the mix from `start` on; those below the number of widgets create them.
    func batch(_ start: Int, _ count: Int) -> Batch {
        (start..<start + count).map { Delivery(mix.message($0)) }
    }

    /// - Parameters:
    ///   - steadyNow: the clock that throttle windows go by, milliseconds.
    ///   - note: is told of each verdict.
    func decide(
        _ batch: Batch, steadyNow: Int64 = 0, note: (Message, Verdict) -> Void = { _, _ in }
    ) throws -> StoreChanges {
        let now = now
        return try decider.decide(
            batch, now: { _ in now }, steadyNow: steadyNow, store: store,
            each: { message, verdict, widget, outcomes in
                OutcomeWriter.write(verdict, of: message, widget, to: &outcomes)
                note(message, verdict)
            })
    }

    /// What is due by then; `nil` when nothing is.
    func pushDue(steadyNow: Int64) throws -> StoreChanges? {
        try decider.pushDue(now: now, steadyNow: steadyNow, limit: Self.batchSize, store: store)
    }

    /// Commits, and settles the batch before.
    func commit(_ changes: consuming StoreChanges) {
        if let lastCommit { changes.settled = [lastCommit] }
        lastCommit = store.commit(changes).number
    }

    /// Both take turns, a prefetch of messages at a time: it was just read from the network in a worker, too.
    /// - Returns: the figures in lines.
    func compare(_ count: Int) throws -> String {
        var own = Cost()
        var peers = Cost()
        var peerBytes = 0
        var done = 0
        while done < count {
            let batch = batch(mix.widgets + done, min(Self.batchSize, count - done))
            let changes = try own.measure(batch.count) { try decide(batch) }
            let bodies = Peer.Bodies(batch)
            peerBytes += try peers.measure(batch.count) { peer?.decide(bodies) ?? 0 }
            note(batch, changes)
            done += batch.count
        }
        let ratio = own.nanoseconds * 100 / max(1, peers.nanoseconds)
        return """
            decide: \(count) messages for \(mix.hot) of \(mix.widgets) widgets, \(inputBytes / max(1, count)) bytes each
              widgetd  \(own.time) ns CPU a message, \(own.allocationText) allocations, \
            outcomes of \(outcomeBytes / max(1, outcomes)) bytes, \(bodyBytes / max(1, outcomes)) of them body
              C++ peer \(peers.time) ns CPU a message, \(peers.allocationText) allocations, \
            outcomes of \(peerBytes / max(1, count)) bytes
              ratio    \(ratio / 100).\(ratio % 100 < 10 ? "0" : "")\(ratio % 100)
            """
    }

    private func note(_ batch: Batch, _ changes: StoreChanges) {
        inputBytes += batch.reduce(0) { $0 + $1.message.body.count }
        outcomes += changes.outcomes.count
        outcomeBytes += changes.outcomes.bytes.count
        changes.outcomes.visit { bodyBytes += $0.body.count }
    }
}
