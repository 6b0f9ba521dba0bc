import Glibc
import WidgetContract
import WidgetSQLite
import WidgetWorker

/// The SQLite store alone, as a worker uses it: what a message costs it, and how soon it is open again.
struct StoreBenchmark {
    let count: Int
    private static let batchSize = 500
    private static let widgetCounts = [1_000, 100_000, 1_000_000]

    /// What a batch gives the store beside the widgets' states.
    private enum Load: String, CaseIterable {
        case states = "states"
        case outcomes = "states, outcomes, deliveries"
        case risingIDs = "states, outcomes, ids that rise"
        case randomIDs = "states, outcomes, ids at random"

        var hasIDs: Bool { self == .risingIDs || self == .randomIDs }
    }

    func run() throws {
        var costs = FigureTable(
            "Store: CPU a message in µs, \(count) messages, \(Self.batchSize) a commit, synchronous=FULL", "a batch is",
            "1 000 widgets", "100 000", "1 000 000")
        var starts = FigureTable("Store: open again", "holds", "ms to open", "MiB of memory", "MiB of file")
        var rows: [[String]] = Load.allCases.map { [$0.rawValue] }
        for widgets in Self.widgetCounts {
            try TemporaryStore.with { path in
                try StoreSamples.fill(path, widgets: widgets)
                starts.add(["\(widgets) widgets"] + (try opening(path)))
                for (row, load) in Load.allCases.enumerated() {
                    rows[row].append(try cost(of: load, at: path, widgets: widgets).text(2))
                }
            }
        }
        for row in rows { costs.add(row) }
        costs.print()
        for ids in [1_000_000, 10_000_000] {
            try TemporaryStore.with { path in
                try remember(ids, at: path)
                starts.add(["\(ids) ids"] + (try opening(path)))
            }
        }
        starts.print()
    }

    private func remember(_ ids: Int, at path: String) throws {
        let store = try SQLiteStore(path: path)
        var random = SplitMix(seed: 7)
        for _ in stride(from: 0, to: ids, by: Self.batchSize) {
            var changes = StoreChanges(now: 0)
            changes.inbox = (0..<Self.batchSize).map { _ in StoreSamples.entry(random.next(), random.next()) }
            _ = try store.commit(changes)
        }
        try store.close()
    }

    /// Milliseconds until an opened store has answered, and how much memory it has taken.
    private func opening(_ path: String) throws -> [String] {
        let before = ChildProcess.residentKilobytes(of: "self")
        let start = ContinuousClock.now
        let store = try SQLiteStore(path: path)
        _ = try store.load([StoreSamples.widget(0, revision: 1).address])
        let milliseconds = start.duration(to: .now) / .milliseconds(1)
        let memory = ChildProcess.residentKilobytes(of: "self") - before
        try store.close()
        return [milliseconds.text(1), (Double(memory) / 1024).text(1), TemporaryStore.mebibytes(path).text(0)]
    }

    private func cost(of load: Load, at path: String, widgets: Int) throws -> Double {
        let store = try SQLiteStore(path: path)
        var random = SplitMix(seed: 42)
        var (microseconds, number, last) = (0, UInt64(0), Int64(0))
        for batch in 0..<count / Self.batchSize {
            var changes = StoreChanges(now: 1)
            let touched = Set((0..<Self.batchSize).map { _ in Int(random.next() % UInt64(widgets)) })
            changes.widgets = touched.map { StoreSamples.widget($0, revision: Int64(batch + 2)) }
            if load != .states {
                changes.outcomes = try StoreSamples.outcomes(Self.batchSize, of: changes.widgets)
                changes.settled = [last]
            }
            if load == .outcomes {
                changes.deliveries = (0..<Self.batchSize).map {
                    DecidedDelivery(Fingerprint(high: UInt64($0), low: random.next()))
                }
                changes.forgottenDeliveries = [last - 4]
            }
            if load.hasIDs {
                changes.inbox = (0..<Self.batchSize).map { _ in
                    number += 1
                    return load == .risingIDs
                        ? StoreSamples.entry(0, number) : StoreSamples.entry(random.next(), number)
                }
            }
            let measurement = Measurement()
            if load.hasIDs { _ = try store.recall(changes.inbox.map(\.key)) }
            last = try store.commit(changes).number
            microseconds += measurement.microseconds
        }
        try store.close()
        return Double(microseconds) / Double(max(1, count / Self.batchSize * Self.batchSize))
    }
}
