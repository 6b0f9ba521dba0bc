import WidgetWorker

/// The layout of the database, step by step; `user_version` says how many steps a file has behind it.
enum Migrations {
    /// "wdgt", so that `file` and this program know the database from another program's.
    static let applicationID: Int64 = 0x7764_6774

    /// Step n takes a database from version n to n + 1. A step that was released is never changed.
    static let steps: [String] = [
        // The widgets' table keeps its row ids: an update is then two short searches over narrow pages, measured a
        // seventh cheaper than one search over the wide pages of a table without them.
        """
        CREATE TABLE widgets (
            account TEXT NOT NULL, slug TEXT NOT NULL, revision INTEGER NOT NULL, sequence INTEGER,
            created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, document TEXT,
            PRIMARY KEY (account, slug)
        ) STRICT;
        CREATE TABLE accounts (
            account TEXT NOT NULL PRIMARY KEY, live_widgets INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE inbox (
            expires_at INTEGER NOT NULL, message_id BLOB NOT NULL, account TEXT NOT NULL, fingerprint BLOB NOT NULL,
            rejections INTEGER NOT NULL, slug TEXT, revision INTEGER, updated_at INTEGER, changed INTEGER,
            deleted INTEGER, problem TEXT,
            PRIMARY KEY (expires_at, message_id, account)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE outbox (number INTEGER PRIMARY KEY, outcomes BLOB NOT NULL) STRICT;
        CREATE TABLE deliveries (number INTEGER PRIMARY KEY, fingerprints BLOB NOT NULL) STRICT;
        CREATE TABLE last_commit (number INTEGER NOT NULL) STRICT;
        INSERT INTO last_commit VALUES (0);
        """,
        """
        ALTER TABLE widgets ADD COLUMN pushed_at INTEGER;
        CREATE TABLE pending (
            account TEXT NOT NULL, slug TEXT NOT NULL, due_at INTEGER NOT NULL, window INTEGER NOT NULL,
            changed INTEGER NOT NULL, updates INTEGER NOT NULL, min_app_version TEXT, traceparent TEXT, tracestate TEXT,
            PRIMARY KEY (account, slug)
        ) STRICT, WITHOUT ROWID;
        """,
        // The hashes come before the entries: they are read at the start, and what lies behind them is not.
        """
        CREATE TABLE inbox_rows (
            number INTEGER PRIMARY KEY, expires_at INTEGER NOT NULL, hashes BLOB NOT NULL, entries BLOB NOT NULL
        ) STRICT;
        CREATE TABLE inbox_seed (seed BLOB NOT NULL) STRICT;
        INSERT INTO inbox_seed VALUES (randomblob(\(InboxHash.seedLength)));
        """,
        // By the number of the commit; lies over `widgets`.
        """
        CREATE TABLE recent_states (number INTEGER PRIMARY KEY, states BLOB NOT NULL) STRICT;
        """,
        "-- From here on the outbox leans on `recent_states` (`OutboxRow`), which a program before cannot read.",
    ]

    /// What follows a step in its transaction and is not said in SQL.
    private static let conversions: [Int: @Sendable (Connection) throws -> Void] = [2: InboxConversion.run]

    /// Brings a checked database to the newest layout.
    static func run(on connection: Connection) throws {
        for version in Int(try version(of: connection))..<steps.count {
            let operation = "bring its tables from version \(version) to \(version + 1)"
            do {
                try connection.execute(
                    """
                    BEGIN IMMEDIATE;
                    \(steps[version])
                    PRAGMA application_id = \(applicationID);
                    PRAGMA user_version = \(version + 1);
                    """, during: operation)
                try conversions[version]?(connection)
                try connection.execute("COMMIT", during: operation)
            } catch {
                if connection.isInTransaction { try? connection.execute("ROLLBACK", during: "roll back") }
                throw error
            }
        }
    }

    /// Refuses, before anything is changed, what another program or a newer version of this one made.
    static func check(_ connection: Connection) throws {
        let owner = try connection.integer("PRAGMA application_id", during: "be opened") ?? 0
        let table = try connection.text("SELECT name FROM sqlite_schema LIMIT 1", during: "be opened")
        guard owner == applicationID || owner == 0 && table == nil else {
            throw StoreError(
                "the store \(connection.path) cannot be opened: wanted widgetd's own database or an empty file, found"
                    + " another program's" + (table.map { " with \($0) in it" } ?? "") + "; name another file",
                isTransient: false)
        }
        let version = try version(of: connection)
        guard version <= steps.count else {
            throw StoreError(
                "the store \(connection.path) was written by a newer widgetd: its tables are version \(version), this"
                    + " program knows them up to version \(steps.count); run the newer program, or name another file",
                isTransient: false)
        }
    }

    private static func version(of connection: Connection) throws -> Int64 {
        try connection.integer("PRAGMA user_version", during: "be opened") ?? 0
    }
}
