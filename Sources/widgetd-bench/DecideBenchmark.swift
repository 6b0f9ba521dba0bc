import WidgetContract
import WidgetTime
import WidgetWorker

/// Read, look up, merge, judge and write, in memory: all that a message costs besides transport and store.
struct DecideBenchmark {
    let count: Int
    let widgets: Int
    private static let batchSize = 500

    func run() throws -> String {
        let mix = MessageMix(widgets: widgets)
        var limits = MessageLimits()
        limits.mostWidgets = 0
        var decider = BatchDecider(
            limits: limits, cachedWidgets: widgets, pushes: PushSchedule(throttleSeconds: 0))
        let store = MemoryStore()
        let now = Timestamp(seconds: 1_796_040_000)
        var outcomes = 0
        var bytes = 0
        func decide(_ messages: [(message: Message, redelivered: Bool)]) throws {
            let changes = try decider.decide(
                messages, now: { _ in now }, store: store,
                each: { message, verdict, outcomes in
                    OutcomeWriter.write(verdict, of: message, to: &outcomes)
                })
            outcomes += changes.outcomes.count
            bytes += changes.outcomes.bytes.count
        }
        for start in stride(from: 0, to: widgets, by: Self.batchSize) {
            try decide((start..<min(start + Self.batchSize, widgets)).map { (mix.message($0), false) })
        }
        outcomes = 0
        bytes = 0
        // Prepared in pieces, so that a million messages need not be held, and measured without the preparing.
        var nanoseconds = 0
        var done = 0
        while done < count {
            let piece = min(100_000, count - done)
            let batches = stride(from: 0, to: piece, by: Self.batchSize).map { start in
                (start..<min(start + Self.batchSize, piece)).map {
                    (message: mix.message(widgets + done + $0), redelivered: false)
                }
            }
            let measurement = Measurement()
            for batch in batches { try decide(batch) }
            nanoseconds += measurement.nanoseconds(perPiece: 1)
            done += piece
        }
        return "decide: \(count) messages of \(widgets) widgets, \(nanoseconds / max(1, count)) ns CPU a message,"
            + " \(outcomes) outcomes of \(bytes / max(1, outcomes)) bytes"
    }
}
