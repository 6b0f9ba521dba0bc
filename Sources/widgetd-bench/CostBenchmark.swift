import WidgetJSON
import WidgetJSONParsing
import WidgetWorker

/// One part of the work alone, for counts that repeat: callgrind counts its instructions, the program its allocations.
enum CostBenchmark: String, CaseIterable {
    /// Bytes to documents.
    case read
    /// A patch into a document.
    case merge
    /// A batch of messages to outcomes, all of them accepted.
    case accept
    /// The same with the rejections of the mix.
    case decide
    /// That, and the commit to the memory store that settles the batch before.
    case batch
    /// That, with all that is counted and told to the admin address.
    case observed
    /// A batch for 100 widgets at 100 updates a second each, of a worker that pushes nothing at all.
    case unpushed
    /// The same with pushes, each widget's at most every 15 s.
    case throttled
    /// The C++ peer's `decide`.
    case peer

    private var widgets: Int { self == .unpushed || self == .throttled ? 100 : 200 }
    private static let batches = 24

    /// - Returns: the figures in a line, for `deploy/lib/check-costs.sh`.
    func run() throws -> String {
        let benchmark = try DecideBenchmark(
            widgets: widgets, wrong: self == .accept ? 0 : 15,
            throttle: self == .throttled ? 15 : self == .unpushed ? nil : 0)
        let observation = Observation()
        let reader = DocumentReader()
        let peer = Peer()
        let buffer = DocumentBuffer()
        let target = try reader.read(benchmark.batch(0, 1)[0].message.body)
        var cost = Cost()
        for round in 0..<Self.batches {
            let batch = benchmark.batch(widgets + round * DecideBenchmark.batchSize, DecideBenchmark.batchSize)
            let texts = batch.map(\.message.body)
            let bodies = Peer.Bodies(batch)
            let documents = batch.compactMap { delivery in
                let document = DocumentBuffer()
                return (try? reader.read(delivery.message.body, into: document)).map { document }
            }
            let isMeasured = round >= Self.batches / 2
            // 10 000 updates a second, but for the last batch, which comes when windows end.
            let moment = Int64(round) * 50 + (round == Self.batches - 1 ? 15_000 : 0)
            switch self {
            case .read:
                try cost.measure(batch.count, isMeasured) {
                    for text in texts { _ = try? reader.read(text, into: buffer) }
                }
            case .merge:
                try cost.measure(documents.count, isMeasured) {
                    target.withView { target in
                        for document in documents { buffer.merge(target, with: document.view, ignoring: "slug") }
                    }
                }
            case .accept, .decide:
                _ = try cost.measure(batch.count, isMeasured) { try benchmark.decide(batch) }
            case .batch:
                try cost.measure(batch.count, isMeasured) { benchmark.commit(try benchmark.decide(batch)) }
            case .observed:
                try cost.measure(batch.count, isMeasured) {
                    benchmark.commit(try observation.observe { try benchmark.decide(batch, note: $0) })
                }
            case .unpushed, .throttled:
                try cost.measure(batch.count, isMeasured) {
                    benchmark.commit(try benchmark.decide(batch, steadyNow: moment))
                    while let due = try benchmark.pushDue(steadyNow: moment) { benchmark.commit(due) }
                }
            case .peer:
                _ = try cost.measure(batch.count, isMeasured) { peer.decide(bodies) }
            }
        }
        return "\(rawValue) messages \(cost.messages) allocations \(cost.allocations)"
    }
}
