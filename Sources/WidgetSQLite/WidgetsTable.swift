import WidgetContract
import WidgetWorker

/// The widgets' states and, for each account, how many are not deleted.
///
/// The count is a row of its own, changed in the transaction that creates or deletes: to read it costs the same for an
/// account of a million widgets, and updates of live widgets, nearly all there is, do not touch it. An index over the
/// live ones would be rewritten at each update, since its condition looks at the document.
final class WidgetsTable {
    private let connection: Connection
    private let find: Statement
    private let updateLive: Statement
    private let putOther: Statement
    private let count: Statement
    private let addToCount: Statement

    init(_ connection: Connection) throws {
        self.connection = connection
        find = try Statement(
            connection,
            """
            SELECT revision, sequence, created_at, updated_at, document, pushed_at FROM widgets
            WHERE account = ?1 AND slug = ?2
            """, during: "read a widget")
        updateLive = try Statement(
            connection,
            """
            UPDATE widgets SET revision = ?3, sequence = ?4, created_at = ?5, updated_at = ?6, document = ?7,
                pushed_at = ?8
            WHERE account = ?1 AND slug = ?2 AND document IS NOT NULL
            """, during: "store a widget")
        putOther = try Statement(
            connection,
            """
            INSERT INTO widgets (account, slug, revision, sequence, created_at, updated_at, document, pushed_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
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
                guard try find.step() else { return nil }
                return StoredWidget(
                    address: address, revision: find.integer(0), sequence: find.optionalInteger(1),
                    createdAt: find.integer(2), updatedAt: find.integer(3),
                    document: find.isNull(4) ? nil : find.bytes(4),
                    pushedAt: find.optionalInteger(5))
            }
        }
    }

    func put(_ widget: StoredWidget) throws {
        try run(updateLive, widget)
        if connection.changedRows == 1 {
            if widget.document == nil { try addLive(-1, in: widget.address.account) }
        } else {
            // Not there, or deleted.
            try run(putOther, widget)
            if widget.document != nil { try addLive(1, in: widget.address.account) }
        }
    }

    func liveWidgets(in account: String) throws -> Int {
        try unsafe account.withUTF8Bytes { account in
            defer { count.reset() }
            try unsafe count.bind(1, text: account)
            return try count.step() ? Int(count.integer(0)) : 0
        }
    }

    private func addLive(_ difference: Int64, in account: String) throws {
        try unsafe account.withUTF8Bytes { account in
            try unsafe addToCount.bind(1, text: account)
            try addToCount.bind(2, difference)
            try addToCount.run()
        }
    }

    private func run(_ statement: Statement, _ widget: StoredWidget) throws {
        try statement.bind(3, widget.revision)
        try statement.bind(4, widget.sequence)
        try statement.bind(5, widget.createdAt)
        try statement.bind(6, widget.updatedAt)
        try statement.bind(8, widget.pushedAt)
        try unsafe widget.address.account.withUTF8Bytes { account in
            try unsafe statement.bind(1, text: account)
            try unsafe widget.address.slug.withUTF8Bytes { slug in
                try unsafe statement.bind(2, text: slug)
                guard let document = widget.document else {
                    try statement.bindNull(7)
                    return try statement.run()
                }
                try unsafe document.withUnsafeBufferPointer { document in
                    try unsafe statement.bind(7, text: document)
                    try statement.run()
                }
            }
        }
    }
}
