public import WidgetContract
public import WidgetWorker

/// The store in one file, for one worker and one queue.
///
/// A commit is one transaction, on the disk before it is answered. While the worker runs, anybody may open the file
/// with `sqlite3` and read; `widgets` holds a row a widget, with its newest state once the worker has been idle for some
/// seconds or has stopped: until then newer ones may be in `recent_states`, which `SQLiteReader` lays over it. A
/// transaction left open there is in the way of commits when it writes, and keeps the log beside the file growing when
/// it only reads.
public final class SQLiteStore: WidgetStore {
    /// What is given back by `close`; the connection before the lock.
    struct Parts {
        let transactions: Transactions
        let widgets: WidgetsTable
        let recent: RecentStates
        let inbox: InboxTable
        let pending: PendingTable
        let outbox: OutboxTable
        let deliveries: BatchTable
        let setNumber: Statement
        let connection: Connection
    }

    private let path: String
    private let clock: (() -> Int64)?
    private var parts: Parts?
    private var lock: StoreLock?
    private var lastNumber: Int64
    /// The clock of the last commit.
    private var lastNow = Int64.min
    /// Deliveries up to this number are deleted.
    private var forgotten: Int64 = 0

    /// Opens the file, or makes it.
    /// - Parameters:
    ///   - path: the database's file; its folder must exist, and be writable for the log and the lock beside it.
    ///   - dedupeWindow: how long a message id is remembered, at least; at most half as long again.
    ///   - clock: the present in milliseconds since 1970, by which ids are looked up. Without it the last commit's
    ///     clock counts, so that an idle store goes on finding what has ended meanwhile.
    ///   - busyTimeout: how long a commit waits for another program's lock before it fails for the time being.
    ///   - recentBytes: how many bytes of states are logged before commits fold some of them.
    /// - Throws: `StoreError`; not transient when the file is no place for a store or another worker has it open.
    public init(
        path: String, dedupeWindow: Duration = .seconds(86_400), clock: (() -> Int64)? = nil,
        busyTimeout: Duration = .seconds(1), recentBytes: Int = 8 << 20
    ) throws {
        let file = try DatabasePath(path).file
        let lock = try StoreLock(database: file)
        let connection = try Connection(path: file, access: .readWrite, busyTimeout: busyTimeout)
        try Migrations.check(connection)
        try Settings.apply(to: connection)
        try Migrations.run(on: connection)
        lastNumber = try connection.integer("SELECT number FROM last_commit", during: "be opened") ?? 0
        let transactions = try Transactions(connection)
        let widgets = try WidgetsTable(connection)
        let states = try BatchTable(connection, table: "recent_states", column: "states", contents: "recent states")
        let outbox = try OutboxTable(connection, states: states)
        parts = Parts(
            transactions: transactions,
            widgets: widgets,
            recent: try transactions.read { try RecentStates(states, over: widgets, outbox, bound: recentBytes) },
            inbox: try InboxTable(connection, window: DedupeWindow(dedupeWindow)),
            pending: try PendingTable(connection),
            outbox: outbox,
            deliveries: try BatchTable(
                connection, table: "deliveries", column: "fingerprints", contents: "deliveries"),
            setNumber: try Statement(connection, "UPDATE last_commit SET number = ?1", during: "number a commit"),
            connection: connection)
        self.path = file
        self.clock = clock
        self.lock = lock
    }

    /// For tests that narrow what it may do.
    package var connection: Connection? { parts?.connection }

    public func load(_ addresses: [WidgetAddress]) throws -> [StoredWidget?] {
        let parts = try opened()
        return try parts.transactions.read {
            try addresses.map { try parts.recent.load($0) ?? parts.widgets.load($0) }
        }
    }

    public func recall(_ keys: [InboxKey]) throws -> [InboxEntry?] {
        let parts = try opened()
        let now = clock?() ?? lastNow
        return try parts.transactions.read { try keys.map { try parts.inbox.recall($0, at: now) } }
    }

    public func liveWidgets(in account: String) throws -> Int {
        try opened().widgets.liveWidgets(in: account)
    }

    public func commit(_ changes: StoreChanges) throws -> Commit {
        let parts = try opened()
        try refuseMovedFile()
        let number = lastNumber + 1
        do {
            try parts.transactions.write { try write(changes, as: number, to: parts) }
        } catch {
            parts.recent.transactionEnded(committed: false)
            parts.inbox.transactionEnded(committed: false)
            throw error
        }
        parts.recent.transactionEnded(committed: true)
        parts.inbox.transactionEnded(committed: true)
        lastNumber = number
        lastNow = changes.now
        forgotten = max(forgotten, changes.forgottenDeliveries.first ?? 0)
        return Commit(number: number)
    }

    private func write(_ changes: StoreChanges, as number: Int64, to parts: Parts) throws {
        try parts.setNumber.bind(1, number)
        try parts.setNumber.run()
        for settled in changes.settled {
            try parts.outbox.delete(settled)
        }
        let places = try parts.recent.put(changes.widgets, number: number)
        if !changes.outcomes.isEmpty {
            try parts.outbox.insert(changes.outcomes, number: number, of: changes.widgets, at: places)
        }
        if changes.widgets.isEmpty {
            try parts.recent.foldAtLeisure()
        } else {
            try parts.recent.foldBesideCommit()
        }
        let entries = changes.recounted.isEmpty ? changes.inbox : changes.inbox + changes.recounted
        try parts.inbox.put(entries, at: changes.now, number: number)
        try parts.inbox.expire(at: changes.now, limit: DedupeWindow.expiryLimit(afterAdding: entries.count))
        for push in changes.pending {
            try parts.pending.put(push)
        }
        for address in changes.noLongerPending {
            try parts.pending.delete(address)
        }
        if let forgettable = changes.forgottenDeliveries.first, forgettable > forgotten {
            try parts.deliveries.delete(upTo: forgettable)
        }
        if !changes.deliveries.isEmpty {
            try parts.deliveries.insert(number, changes.deliveries.map(\.fingerprint).storedBytes)
        }
    }

    public func unsettledOutcomes() throws -> [NumberedOutcomes] {
        let parts = try opened()
        return try parts.transactions.read { try parts.outbox.all() }
    }

    public func pendingPushes() throws -> [PendingPush] {
        try opened().pending.all()
    }

    public func rememberedDeliveries() throws -> [Fingerprint] {
        var remembered: [Fingerprint] = []
        try opened().deliveries.visit { number, bytes in
            guard let fingerprints = Fingerprint.stored(bytes) else {
                throw StoreError(
                    "the deliveries of commit \(number) in the store \(path) are damaged: their length does not fit",
                    isTransient: false)
            }
            remembered += fingerprints
        }
        return remembered
    }

    /// Whether some states are only in the log of them.
    public var hasPutOffWork: Bool { parts.map { !$0.recent.isEmpty } ?? false }

    /// Folds some of the recent states into `widgets`.
    public func workAtLeisure() throws {
        let parts = try opened()
        try refuseMovedFile()
        do {
            try parts.transactions.write { try parts.recent.foldAtLeisure() }
        } catch {
            parts.recent.transactionEnded(committed: false)
            throw error
        }
        parts.recent.transactionEnded(committed: true)
    }

    /// Folds the logs into the file and lets another worker in. Every later call throws.
    public func close() throws {
        // What cannot be folded now, on a full disk for example, stays in the log for the next start.
        do { while hasPutOffWork { try workAtLeisure() } } catch {}
        parts = nil
        lock = nil
    }

    private func refuseMovedFile() throws {
        guard let parts, parts.connection.fileHasMoved else { return }
        throw StoreError(
            "the store \(path) was moved, deleted or replaced while it was open: what is written now would be"
                + " lost; put it back and start the worker again", isTransient: false)
    }

    func opened() throws -> Parts {
        guard let parts else { throw StoreError("the store \(path) is closed", isTransient: false) }
        return parts
    }
}
