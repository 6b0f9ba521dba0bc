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

    /// The batches behind a number, as many as make one turn.
    func news(after number: UInt64) -> ArraySlice<(number: UInt64, outcomes: OutcomeBatch)> {
        guard let first = batches.first?.number, let last = batches.last?.number, last > number else { return [] }
        let begin = number < first ? 0 : Int(number - first) + 1
        var size = 0
        return batches[begin...].prefix { batch in
            defer { size += batch.outcomes.bytes.count }
            return size < Self.turnBytes
        }
    }
}
