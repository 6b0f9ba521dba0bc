public import WidgetContract
public import WidgetWorker

/// A look into a store's file, also while a worker writes it: takes no lock that stands in the worker's way, and changes
/// nothing. Each call is a snapshot of its own, so that no long read keeps the worker's log growing.
public final class SQLiteReader: WidgetReader {
    /// `nil` for a file that no worker has written yet.
    private var statements: (one: Statement, page: Statement)?

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
        // Since version 2 there are pending fan-outs.
        let (later, join) =
            version > 1
            ? ("pushed_at, due_at, changed, updates", "LEFT JOIN pending USING (account, slug)")
            : ("NULL, NULL, NULL, NULL", "")
        let columns = """
            SELECT account, slug, revision, sequence, created_at, updated_at, document, \(later) FROM widgets \(join)
            """
        statements = (
            try Statement(connection, "\(columns) WHERE account = ?1 AND slug = ?2", during: "read a widget"),
            try Statement(
                connection,
                """
                \(columns) WHERE (account, slug) > (?1, ?2) AND document IS NOT NULL
                ORDER BY account, slug LIMIT ?3
                """, during: "read widgets")
        )
    }

    /// The widget there, also a deleted one; `nil` where none ever was.
    public func widget(at address: WidgetAddress) throws -> WidgetSnapshot? {
        guard let statement = statements?.one else { return nil }
        return try rows(of: statement, address).first
    }

    /// Widgets that are not deleted, in the order of account and slug.
    /// - Parameters:
    ///   - address: those behind it; `nil` for the first ones.
    ///   - limit: so many at most.
    public func widgets(after address: WidgetAddress?, limit: Int) throws -> [WidgetSnapshot] {
        guard let statement = statements?.page else { return [] }
        try statement.bind(3, Int64(limit))
        return try rows(of: statement, address ?? WidgetAddress(account: "", slug: ""))
    }

    private func rows(of statement: Statement, _ address: WidgetAddress) throws -> [WidgetSnapshot] {
        try unsafe address.account.withUTF8Bytes { account in
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

extension WidgetSnapshot {
    fileprivate init(_ row: Statement) {
        self.init(
            widget: StoredWidget(
                address: WidgetAddress(account: row.text(0), slug: row.text(1)), revision: row.integer(2),
                sequence: row.optionalInteger(3), createdAt: row.integer(4), updatedAt: row.integer(5),
                document: row.isNull(6) ? nil : row.bytes(6), pushedAt: row.optionalInteger(7)),
            pending: row.optionalInteger(8).map { dueAt in
                Pending(
                    dueAt: dueAt, changed: ChangedMembers(rawValue: UInt64(bitPattern: row.integer(9))),
                    updates: Int(row.integer(10)))
            })
    }
}

extension Statement {
    fileprivate func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }
}
