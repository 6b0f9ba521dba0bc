import WidgetContract
import WidgetSQLite
import WidgetWorker

/// Copies what a worker left in a file to a store that many share. It may be made again from the start: what is there
/// already is written over, and a widget that is newer there stays.
struct StoreMigration {
    /// How many of each went over.
    struct Counts {
        var widgets = 0
        var deleted = 0
        /// That were newer in the target, and stay.
        var newer = 0
        var entries = 0
        var pushes = 0
        var outcomes = 0
        var deliveries = 0
    }

    /// Widgets that are copied at once.
    private static let page = 500

    let source: SQLiteStore
    let target: any WidgetStore
    /// Milliseconds since 1970: message ids are remembered for a whole window from then on.
    let now: Int64
    private(set) var counts = Counts()

    init(from source: SQLiteStore, to target: any WidgetStore, now: Int64) {
        (self.source, self.target, self.now) = (source, target, now)
    }

    /// What has to be published and recognised goes last, in one commit: without it nothing was copied as a whole.
    mutating func run(progress: (Counts) -> Void) throws {
        _ = try target.takeOver(queue: 0)
        var counts = Counts()
        var left: Set<WidgetAddress> = []
        try source.visitWidgets(page: Self.page) { widgets in
            var changes = StoreChanges(now: now)
            for (widget, found) in zip(widgets, try target.load(widgets.map(\.address))) {
                guard found.map({ $0.revision <= widget.revision }) ?? true else {
                    counts.newer += 1
                    left.insert(widget.address)
                    continue
                }
                changes.widgets.append(widget)
                if widget.document == nil { counts.deleted += 1 } else { counts.widgets += 1 }
            }
            _ = try target.commit(changes)
            progress(counts)
        }
        try source.visitEntries(at: now) { entries in
            var changes = StoreChanges(now: now)
            changes.recounted = entries
            counts.entries += entries.count
            _ = try target.commit(changes)
            progress(counts)
        }
        var last = StoreChanges(now: now)
        last.pending = try source.pendingPushes().filter { !left.contains($0.address) }
        last.deliveries = try source.rememberedDeliveries().map { DecidedDelivery($0) }
        for batch in try source.unsettledOutcomes() { batch.outcomes.visit { last.outcomes.append($0) } }
        _ = try target.commit(last)
        (counts.pushes, counts.deliveries) = (last.pending.count, last.deliveries.count)
        counts.outcomes = last.outcomes.count
        self.counts = counts
    }
}
