import WidgetWorker

/// The log of recent states as a reader has it before it: a temporary table of the newest of each widget, brought up to
/// date with what was logged since.
final class RecentStatesCopy {
    static let table = "temp.recent_widgets"

    private let rows: Statement
    private let put: Statement
    private let drop: Statement

    /// - Parameter connection: whose database has a log of states.
    init(_ connection: Connection) throws {
        try connection.execute(
            """
            PRAGMA temp_store = MEMORY;
            CREATE TABLE \(Self.table) (
                account TEXT, slug TEXT, revision INTEGER, sequence INTEGER, created_at INTEGER, updated_at INTEGER,
                document TEXT, pushed_at INTEGER, number INTEGER, PRIMARY KEY (account, slug)
            ) STRICT;
            """, during: "be opened")
        // The last row that was read is known by its states: a transaction that fails takes them back out.
        rows = try Statement(
            connection,
            """
            SELECT number, states FROM recent_states
            WHERE number > (SELECT coalesce(max(number), 0) FROM \(Self.table)) ORDER BY number
            """, during: "read recent states")
        put = try Statement(
            connection, "INSERT OR REPLACE INTO \(Self.table) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            during: "read recent states")
        drop = try Statement(
            connection,
            """
            DELETE FROM \(Self.table)
            WHERE number < (SELECT coalesce(min(number), \(Int64.max)) FROM recent_states)
            """, during: "read recent states")
    }

    /// - Precondition: a transaction is open; what is read from the table in it is of one moment with the rest.
    func refresh() throws {
        defer { rows.reset() }
        while try rows.step() {
            let number = rows.integer(0)
            for widget in try StateRow.widgets(rows.bytes(1)) {
                try put.bind(9, number)
                try put.run(binding: widget)
            }
        }
        // The others are folded.
        try drop.run()
    }
}
