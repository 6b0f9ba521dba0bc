import WidgetWorker

/// The newest stored batches, numbered, for those who follow events, and the newest rejections in them.
struct EventLog {
    /// Kept in all; who falls further behind misses what is gone.
    private static let mostBytes = 4 * 1024 * 1024
    private static let mostRejections = 200
    /// One turn of a stream sends about so much.
    private static let turnBytes = 256 * 1024

    private(set) var batches: [(number: UInt64, outcomes: OutcomeBatch)] = []
    private var bytes = 0
    private(set) var lastNumber: UInt64 = 0
    /// Bodies, newest first.
    private(set) var rejections: [[UInt8]] = []

    mutating func add(_ outcomes: OutcomeBatch) {
        lastNumber += 1
        batches.append((lastNumber, outcomes))
        bytes += outcomes.bytes.count
        while bytes > Self.mostBytes, batches.count > 1 { bytes -= batches.removeFirst().outcomes.bytes.count }
        var fresh: [[UInt8]] = []
        outcomes.visitBodies(to: .rejected) { fresh.append(Array($0)) }
        guard !fresh.isEmpty else { return }
        rejections.insert(contentsOf: fresh.suffix(Self.mostRejections).reversed(), at: 0)
        rejections.removeLast(max(0, rejections.count - Self.mostRejections))
    }

    /// The outcomes behind a batch's number, as many as make one turn, and the number reached.
    func news(after number: UInt64) -> (outcomes: [(number: UInt64, outcome: Outcome)], reached: UInt64) {
        var news: [(UInt64, Outcome)] = []
        var reached = number
        var size = 0
        for batch in batches where batch.number > number {
            guard size < Self.turnBytes else { break }
            batch.outcomes.visit { news.append((batch.number, $0)) }
            size += batch.outcomes.bytes.count
            reached = batch.number
        }
        return (news, reached)
    }
}
