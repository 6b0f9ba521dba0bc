public import WidgetContract
public import WidgetWorker

/// A look into a store's file, also while a worker writes it: takes no lock that stands in the worker's way, and changes
/// nothing. Each call is a snapshot of its own, so that no long read keeps the worker's log growing.
public final class SQLiteReader: WidgetReader {
    private struct Parts {
        let transactions: Transactions
        /// `nil` for a file that an older program wrote.
        let recent: RecentStatesCopy?
        let one: Statement
        let page: Statement
    }

    /// `nil` for a file that no worker has written yet.
    private var parts: Parts?

    /// - Throws: `StoreError` that says what to do, also where there is no file: none is made.
    public init(path: String, busyTimeout: Duration = .seconds(1)) throws {
        guard let file = DatabasePath.resolved(path) else {
            throw StoreError(
                "the store \(path) cannot be read: \(DatabasePath.reason()); name the worker's file with"
                    + " --store sqlite:PATH", isTransient: false)
        }
        let connection = try Connection(path: file, access: .readOnly, busyTimeout: busyTimeout)
        try Migrations.check(connection)
        let version = try connection.integer("PRAGMA user_version", during: "be opened") ?? 0
        guard version > 0 else { return }
        let recent = version > 3 ? try RecentStatesCopy(connection) : nil
        parts = Parts(
            transactions: try Transactions(connection), recent: recent,
            one: try Statement(
                connection, Self.query(version, where: "account = ?1 AND slug = ?2", ""), during: "read a widget"),
            page: try Statement(
                connection,
                Self.query(
                    version, where: "(account, slug) > (?1, ?2) AND document IS NOT NULL",
                    "ORDER BY account, slug LIMIT ?3"), during: "read widgets"))
    }

    /// Recent states in place of the rows they have in `widgets`, and the fan-outs that wait.
    private static func query(_ version: Int64, where condition: String, _ order: String) -> String {
        // Since version 2 there are pending fan-outs, since version 4 recent states.
        let columns = StoredWidget.columns.replacing("pushed_at", with: version > 1 ? "pushed_at" : "NULL AS pushed_at")
        var widgets = "SELECT \(columns) FROM widgets WHERE \(condition)"
        if version > 3 {
            widgets += """
                 AND NOT EXISTS (
                    SELECT * FROM \(RecentStatesCopy.table) AS recent
                    WHERE recent.account = widgets.account AND recent.slug = widgets.slug)
                UNION ALL SELECT \(columns) FROM \(RecentStatesCopy.table) WHERE \(condition)
                """
        }
        return version > 1
            ? """
            SELECT \(StoredWidget.columns), due_at, changed, updates FROM (\(widgets) \(order))
                LEFT JOIN pending USING (account, slug) ORDER BY account, slug
            """
            : "SELECT *, NULL, NULL, NULL FROM (\(widgets) \(order))"
    }

    /// The widget there, also a deleted one; `nil` where none ever was.
    public func widget(at address: WidgetAddress) throws -> WidgetSnapshot? {
        guard let parts else { return nil }
        return try rows(of: parts.one, address, parts).first
    }

    /// Widgets that are not deleted, in the order of account and slug.
    /// - Parameters:
    ///   - address: those behind it; `nil` for the first ones.
    ///   - limit: so many at most.
    public func widgets(after address: WidgetAddress?, limit: Int) throws -> [WidgetSnapshot] {
        guard let parts else { return [] }
        try parts.page.bind(3, Int64(limit))
        return try rows(of: parts.page, address ?? WidgetAddress(account: "", slug: ""), parts)
    }

    private func rows(of statement: Statement, _ address: WidgetAddress, _ parts: Parts) throws -> [WidgetSnapshot] {
        try parts.transactions.read {
            try parts.recent?.refresh()
            return try unsafe address.account.withUTF8Bytes { account in
                try unsafe address.slug.withUTF8Bytes { slug in
                    defer { statement.reset() }
                    try unsafe statement.bind(1, text: account)
                    try unsafe statement.bind(2, text: slug)
                    var rows: [WidgetSnapshot] = []
                    while try statement.step() { rows.append(WidgetSnapshot(statement)) }
                    return rows
                }
            }
        }
    }
}

extension WidgetSnapshot {
    fileprivate init(_ row: Statement) {
        self.init(
            widget: StoredWidget(row),
            pending: row.optionalInteger(8).map { dueAt in
                Pending(
                    dueAt: dueAt, changed: ChangedMembers(rawValue: UInt64(bitPattern: row.integer(9))),
                    updates: Int(row.integer(10)))
            })
    }
}
