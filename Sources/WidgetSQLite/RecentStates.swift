import WidgetContract
import WidgetWorker

/// The newest states of widgets that are updated often, kept as a log until they are folded into `widgets`.
///
/// A commit's states are one row, appended whole: as rows of their own, a hundred updates would rewrite nearly as many
/// pages. A widget whose last update is long ago goes into its own row at once: of a million at random few would be
/// replaced in the log, and each would cost a second look at its page.
///
/// What is folded is a half of the log at a time, the older one, of each widget only the newest state, and none
/// that the newer half replaces: so a widget that is updated over and over is hardly ever written. The states of a half
/// go in the order of the rows of `widgets`, so that a page is rewritten once for all of its widgets. Each commit folds
/// about as many states as it adds, and none waits for more.
///
/// Until the half is folded its rows stay, also those whose states are in `widgets` by then, and a widget that has states
/// in the log gets newer ones there: so the log laid over the table gives the newest states at every commit.
final class RecentStates {
    /// How much a commit may fold: its own share, or more where nobody waits.
    struct Portion {
        let states: Int
        let bytes: Int

        static func beside(_ added: Int, bytes: Int) -> Portion {
            Portion(states: max(added, 16), bytes: max(2 * bytes, 1 << 16))
        }

        static let atLeisure = Portion(states: 1000, bytes: 1 << 20)
    }

    /// A state that is logged.
    private struct Added {
        /// Among the commit's widgets.
        let widget: Int
        /// Of an older one in `newest`.
        let place: Int?
        /// Its row's number in `widgets`.
        let row: Int64
    }

    /// A half of the log on its way into `widgets`.
    private struct Sweep {
        /// The half's last commit.
        let upTo: Int64
        /// In the order of `row`.
        let widgets: [WidgetAddress]
        /// So many are folded, or replaced since.
        var done = 0

        var isFolded: Bool { done == widgets.count }
    }

    /// What the running commit does to the tables, for when it is durable.
    private struct Changes {
        var number: Int64 = 0
        var widgets: [StoredWidget] = []
        var added: [Added] = []
        var bytes = 0
        var sweep: Sweep?
        var deletedRows = 0
    }

    private let widgets: WidgetsTable
    private let table: BatchTable
    private let outbox: OutboxTable
    private let bound: Int
    private var newest = NewestStates()
    /// Oldest first.
    private var rows: [(number: Int64, bytes: Int)] = []
    private var bytes = 0
    private var lately = Lately()
    private var sweep: Sweep?
    private var changes = Changes()

    /// - Parameters:
    ///   - table: `recent_states`.
    ///   - outbox: made whole before states go that it leans on.
    ///   - bound: so many bytes of states are logged before some are folded.
    init(_ table: BatchTable, over widgets: WidgetsTable, _ outbox: OutboxTable, bound: Int) throws {
        self.table = table
        self.widgets = widgets
        self.outbox = outbox
        self.bound = bound
        try table.visit { number, bytes in
            for widget in try StateRow.widgets(bytes) {
                if let place = newest.place(of: widget.address) {
                    newest.replace(at: place, with: widget, number: number)
                } else {
                    newest.add(widget, number: number, row: try widgets.row(of: widget.address)?.number ?? 0)
                }
            }
            rows.append((number, bytes.count))
            self.bytes += bytes.count
        }
    }

    /// Whether `widgets` is the whole truth.
    var isEmpty: Bool { rows.isEmpty }

    /// The newest state, where it is not in `widgets` alone.
    func load(_ address: WidgetAddress) -> StoredWidget? { newest.place(of: address).map { newest.states[$0] } }

    // MARK: In a transaction

    /// Stores the states of a commit, and counts what is created and deleted.
    /// - Returns: of each its place among those that are logged, -1 where it is not.
    func put(_ states: [StoredWidget], number: Int64) throws -> [Int] {
        changes.number = number
        changes.widgets = states
        changes.added.reserveCapacity(states.count)
        let places = try states.indices.map { index in
            guard let (place, row, wasLive) = try before(states[index].address) else {
                try widgets.put(states[index])
                return -1
            }
            let isLive = states[index].isLive
            if wasLive != isLive { try widgets.addLive(isLive ? 1 : -1, in: states[index].address.account) }
            changes.added.append(Added(widget: index, place: place, row: row))
            return changes.added.count - 1
        }
        guard !changes.added.isEmpty else { return places }
        let bytes = StateRow.bytes(states, changes.added.map(\.widget))
        changes.bytes = bytes.count
        try table.insert(number, bytes)
        return places
    }

    /// - Returns: `nil` for a widget that was not updated lately.
    private func before(_ address: WidgetAddress) throws -> (place: Int?, row: Int64, isLive: Bool)? {
        if let place = newest.place(of: address) { return (place, newest.rows[place], newest.states[place].isLive) }
        guard !lately.add(address), let row = try widgets.row(of: address) else { return nil }
        return (nil, row.number, row.isLive)
    }

    /// Folds a portion beside what a commit adds, once the log is as long as its bound.
    func foldBesideCommit() throws {
        try fold(.beside(changes.added.count, bytes: changes.bytes), keeping: bound / 2, from: bound)
    }

    /// Folds a portion of all there is.
    func foldAtLeisure() throws {
        try fold(.atLeisure, keeping: 0, from: 1)
    }

    private func fold(_ portion: Portion, keeping kept: Int, from bound: Int) throws {
        guard var sweep = self.sweep ?? (bytes < bound ? nil : newSweep(keeping: kept)) else { return }
        var left = portion.states
        while left > 0 && !sweep.isFolded {
            let place = newest.place(of: sweep.widgets[sweep.done])
            sweep.done += 1
            // Replaced meanwhile: that is for the next half.
            guard let place, newest.numbers[place] <= sweep.upTo else { continue }
            try widgets.put(newest.states[place], inRow: newest.rows[place])
            left -= 1
        }
        if sweep.isFolded { try deleteRows(upTo: sweep.upTo, bytes: portion.bytes) }
        changes.sweep = sweep
    }

    private func newSweep(keeping kept: Int) -> Sweep? {
        var left = bytes
        guard
            let last = rows.prefix(while: { row in
                defer { left -= row.bytes }
                return left > kept
            }).last
        else { return nil }
        let older = newest.states.indices.filter { newest.numbers[$0] <= last.number }
            .sorted { newest.rows[$0] < newest.rows[$1] }
        return Sweep(upTo: last.number, widgets: older.map { newest.states[$0].address })
    }

    private func deleteRows(upTo number: Int64, bytes: Int) throws {
        var left = bytes
        let deleted = rows.prefix { row in
            defer { left -= row.bytes }
            return row.number <= number && left > 0
        }
        guard let first = deleted.first, let last = deleted.last else { return }
        // What is older than the first has lost its states before, and is whole.
        try outbox.makeWhole(first.number...last.number)
        try table.delete(upTo: last.number)
        changes.deletedRows = deleted.count
    }

    /// The commit that called these is durable, or was rolled back.
    func transactionEnded(committed: Bool) {
        defer { changes = Changes() }
        guard committed else { return }
        for row in rows.prefix(changes.deletedRows) { bytes -= row.bytes }
        rows.removeFirst(changes.deletedRows)
        for added in changes.added {
            if let place = added.place {
                newest.replace(at: place, with: changes.widgets[added.widget], number: changes.number)
            } else {
                newest.add(changes.widgets[added.widget], number: changes.number, row: added.row)
            }
        }
        if !changes.added.isEmpty {
            rows.append((changes.number, changes.bytes))
            bytes += changes.bytes
        }
        if let sweep = changes.sweep {
            self.sweep = sweep
            if sweep.isFolded && rows.first?.number ?? .max > sweep.upTo { end(sweep) }
        }
    }

    /// Forgets the widgets of a half whose rows are gone, and not before: a row that is there lies over `widgets`, so
    /// until then what is newer must be logged.
    private func end(_ sweep: Sweep) {
        for address in sweep.widgets {
            if let place = newest.place(of: address), newest.numbers[place] <= sweep.upTo { newest.remove(at: place) }
        }
        self.sweep = nil
    }
}

extension StoredWidget {
    /// Whether it is not deleted.
    fileprivate var isLive: Bool {
        if case .some = document { true } else { false }
    }
}

/// Which widgets were updated lately: some ten thousand, by their digests. A guess: two may share one.
private struct Lately {
    private static let generation = 1 << 15

    private var older: Set<UInt64> = []
    private var newer: Set<UInt64> = []

    /// - Returns: whether it was not there.
    mutating func add(_ address: WidgetAddress) -> Bool {
        if newer.count >= Self.generation { (older, newer) = (newer, []) }
        return newer.insert(address.digest).inserted && !older.contains(address.digest)
    }
}
