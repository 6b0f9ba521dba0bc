import WidgetContract
import WidgetWorker

/// A row a widget, and for each account how many are not deleted.
///
/// The count is a row of its own, changed in the transaction that creates or deletes: to read it costs the same for an
/// account of a million widgets, and updates of live widgets, nearly all there is, do not touch it. An index over the
/// live ones would be rewritten at each update, since its condition looks at the document.
final class WidgetsTable {
    private let connection: Connection
    private let find: Statement
    private let findRow: Statement
    private let updateRow: Statement
    private let updateLive: Statement
    private let putOther: Statement
    private let count: Statement
    private let addToCount: Statement

    init(_ connection: Connection) throws {
        self.connection = connection
        find = try Statement(
            connection,
            """
            SELECT \(StoredWidget.columns) FROM widgets WHERE account = ?1 AND slug = ?2
            """, during: "read a widget")
        findRow = try Statement(
            connection, "SELECT rowid, document IS NOT NULL FROM widgets WHERE account = ?1 AND slug = ?2",
            during: "read a widget")
        let update = """
            UPDATE widgets SET revision = ?3, sequence = ?4, created_at = ?5, updated_at = ?6, document = ?7,
                pushed_at = ?8
            WHERE account = ?1 AND slug = ?2
            """
        updateRow = try Statement(connection, "\(update) AND rowid = ?9", during: "store a widget")
        updateLive = try Statement(connection, "\(update) AND document IS NOT NULL", during: "store a widget")
        putOther = try Statement(
            connection,
            """
            INSERT INTO widgets (\(StoredWidget.columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            ON CONFLICT (account, slug) DO UPDATE SET revision = excluded.revision, sequence = excluded.sequence,
                created_at = excluded.created_at, updated_at = excluded.updated_at, document = excluded.document,
                pushed_at = excluded.pushed_at
            """, during: "store a widget")
        count = try Statement(
            connection, "SELECT live_widgets FROM accounts WHERE account = ?1", during: "count an account's widgets")
        addToCount = try Statement(
            connection,
            """
            INSERT INTO accounts (account, live_widgets) VALUES (?1, ?2)
            ON CONFLICT (account) DO UPDATE SET live_widgets = live_widgets + excluded.live_widgets
            """, during: "count an account's widgets")
    }

    func load(_ address: WidgetAddress) throws -> StoredWidget? {
        try unsafe address.account.withUTF8Bytes { account in
            try unsafe address.slug.withUTF8Bytes { slug in
                defer { find.reset() }
                try unsafe find.bind(1, text: account)
                try unsafe find.bind(2, text: slug)
                return try find.step() ? StoredWidget(find, at: address) : nil
            }
        }
    }

    /// The number of a widget's row, and whether the widget is not deleted there.
    func row(of address: WidgetAddress) throws -> (number: Int64, isLive: Bool)? {
        try unsafe address.account.withUTF8Bytes { account in
            try unsafe address.slug.withUTF8Bytes { slug in
                defer { findRow.reset() }
                try unsafe findRow.bind(1, text: account)
                try unsafe findRow.bind(2, text: slug)
                return try findRow.step() ? (findRow.integer(0), findRow.integer(1) != 0) : nil
            }
        }
    }

    /// Stores a state and counts what it creates or deletes.
    func put(_ widget: StoredWidget) throws {
        try updateLive.run(binding: widget)
        if connection.changedRows == 1 {
            if widget.document == nil { try addLive(-1, in: widget.address.account) }
        } else {
            // Not there, or deleted.
            try putOther.run(binding: widget)
            if widget.document != nil { try addLive(1, in: widget.address.account) }
        }
    }

    /// Stores a state that is counted already.
    /// - Parameter row: its row's number as it was last seen: a `VACUUM` from outside may number the rows anew.
    func put(_ widget: StoredWidget, inRow row: Int64) throws {
        try updateRow.bind(9, row)
        try updateRow.run(binding: widget)
        if connection.changedRows == 0 { try putOther.run(binding: widget) }
    }

    func liveWidgets(in account: String) throws -> Int {
        try unsafe account.withUTF8Bytes { account in
            defer { count.reset() }
            try unsafe count.bind(1, text: account)
            return try count.step() ? Int(count.integer(0)) : 0
        }
    }

    func addLive(_ difference: Int64, in account: String) throws {
        try unsafe account.withUTF8Bytes { account in
            try unsafe addToCount.bind(1, text: account)
            try addToCount.bind(2, difference)
            try addToCount.run()
        }
    }
}

extension StoredWidget {
    /// In the order in which they are bound, from 1, and read, from 0.
    static let columns = "account, slug, revision, sequence, created_at, updated_at, document, pushed_at"

    init(_ row: Statement, at address: WidgetAddress) {
        self.init(
            address: address, revision: row.integer(2), sequence: row.optionalInteger(3), createdAt: row.integer(4),
            updatedAt: row.integer(5), document: row.isNull(6) ? nil : row.bytes(6), pushedAt: row.optionalInteger(7))
    }

    init(_ row: Statement) {
        self.init(row, at: WidgetAddress(account: row.text(0), slug: row.text(1)))
    }
}

extension Statement {
    /// Runs a statement without rows whose first parameters are the columns of a widget.
    func run(binding widget: StoredWidget) throws {
        try bind(3, widget.revision)
        try bind(4, widget.sequence)
        try bind(5, widget.createdAt)
        try bind(6, widget.updatedAt)
        try bind(8, widget.pushedAt)
        try unsafe widget.address.account.withUTF8Bytes { account in
            try unsafe bind(1, text: account)
            try unsafe widget.address.slug.withUTF8Bytes { slug in
                try unsafe bind(2, text: slug)
                guard let document = widget.document else {
                    try bindNull(7)
                    return try run()
                }
                try unsafe document.withUnsafeBufferPointer { document in
                    try unsafe bind(7, text: document)
                    try run()
                }
            }
        }
    }

    /// Of a text, copied.
    func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }
}
