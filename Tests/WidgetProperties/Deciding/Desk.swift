import WidgetContract
import WidgetTime
import WidgetWorker

/// Decides messages over a store of its own, batch after batch, by a clock that goes on a second a message;
/// throttle windows do not end meanwhile.
enum Desk {
    /// Few, so that an account is soon full.
    static let mostWidgets = 2

    /// A verdict, told by the line that `apply` writes of it, and what is published.
    struct Fate: Equatable, CustomStringConvertible {
        let verdict: Verdict
        /// As it stood after the message.
        let widget: Widget?
        let line: [UInt8]
        let outcomes: OutcomeBatch

        static func == (left: Fate, right: Fate) -> Bool {
            left.line == right.line && left.outcomes == right.outcomes
        }

        var description: String { shown(line) }
    }

    struct Result: Equatable {
        var fates: [Fate] = []
        /// All that is published, as it was stored.
        var published: [UInt8] = []
        var widgets: [StoredWidget?] = []
        var pending: [WidgetAddress: PendingPush] = [:]
    }

    private struct CountingRandom: RandomNumberGenerator {
        var last: UInt64 = 0

        mutating func next() -> UInt64 {
            last += 1
            return last
        }
    }

    static func decide(
        _ messages: [Delivery], batchSize: Int, cachedWidgets: Int
    ) throws -> Result {
        var limits = MessageLimits()
        limits.mostWidgets = mostWidgets
        limits.largestBody = 2_000
        let store = MemoryStore()
        var decider = BatchDecider(
            limits: limits, cachedWidgets: cachedWidgets, pushes: PushSchedule(throttleSeconds: 0),
            random: CountingRandom())
        decider.begin(queue: 0, remembered: [])
        var result = Result()
        var addresses: Set<WidgetAddress> = []
        for start in stride(from: 0, to: messages.count, by: batchSize) {
            let changes = try decider.decide(
                Array(messages[start..<min(start + batchSize, messages.count)]),
                now: { DecisionProperty.clock.advanced(bySeconds: Int64(start + $0)) }, store: store,
                each: { message, verdict, widget, outcomes in
                    var own = OutcomeBatch()
                    OutcomeWriter.write(verdict, of: message, widget, to: &own)
                    OutcomeWriter.write(verdict, of: message, widget, to: &outcomes)
                    var line: [UInt8] = []
                    ReceiptText.writeLine(verdict, widget, to: &line)
                    result.fates.append(Fate(verdict: verdict, widget: widget, line: line, outcomes: own))
                })
            result.published += changes.outcomes.bytes
            addresses.formUnion(changes.widgets.map(\.address))
            _ = store.commit(changes)
        }
        let order = addresses.sorted { ($0.account, $0.slug) < ($1.account, $1.slug) }
        result.widgets = store.load(order)
        for push in store.pendingPushes() { result.pending[push.address] = push }
        return result
    }
}
