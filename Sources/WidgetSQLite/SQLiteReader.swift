public import WidgetContract
public import WidgetWorker

/// A look into a store's file, also while a worker writes it: takes no lock that stands in the worker's way, and changes
/// nothing. Each call is a snapshot of its own, so that no long read keeps the worker's log growing.
public final class SQLiteReader {
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
        guard try connection.integer("PRAGMA user_version", during: "be opened") ?? 0 > 0 else { return }
        let columns = "account, slug, revision, sequence, created_at, updated_at, document"
        statements = (
            try Statement(
                connection, "SELECT \(columns) FROM widgets WHERE account = ?1 AND slug = ?2", during: "read a widget"),
            try Statement(
                connection,
                """
                SELECT \(columns) FROM widgets WHERE (account, slug) > (?1, ?2) AND document IS NOT NULL
                ORDER BY account, slug LIMIT ?3
                """, during: "read widgets")
        )
    }

    /// The widget there, also a deleted one; `nil` where none ever was.
    public func widget(at address: WidgetAddress) throws -> StoredWidget? {
        guard let statement = statements?.one else { return nil }
        return try rows(of: statement, address).first
    }

    /// Widgets that are not deleted, in the order of account and slug.
    /// - Parameters:
    ///   - address: those behind it; `nil` for the first ones.
    ///   - limit: so many at most.
    public func widgets(after address: WidgetAddress?, limit: Int) throws -> [StoredWidget] {
        guard let statement = statements?.page else { return [] }
        try statement.bind(3, Int64(limit))
        return try rows(of: statement, address ?? WidgetAddress(account: "", slug: ""))
    }

    private func rows(of statement: Statement, _ address: WidgetAddress) throws -> [StoredWidget] {
        try unsafe address.account.withUTF8Bytes { account in
            try unsafe address.slug.withUTF8Bytes { slug in
                defer { statement.reset() }
                try unsafe statement.bind(1, text: account)
                try unsafe statement.bind(2, text: slug)
                var rows: [StoredWidget] = []
                while try statement.step() {
                    rows.append(
                        StoredWidget(
                            address: WidgetAddress(account: statement.text(0), slug: statement.text(1)),
                            revision: statement.integer(2), sequence: statement.optionalInteger(3),
                            createdAt: statement.integer(4), updatedAt: statement.integer(5),
                            document: statement.isNull(6) ? nil : statement.bytes(6)))
                }
                return rows
            }
        }
    }
}

extension Statement {
    fileprivate func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }
}
