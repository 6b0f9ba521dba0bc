import WidgetWorker

/// How the worker's connection is set up.
enum Settings {
    static func apply(to connection: Connection) throws {
        // A log of writes beside the file: a commit appends and syncs once, and readers go on meanwhile.
        let mode = try connection.text("PRAGMA journal_mode = WAL", during: "be opened")
        guard mode == "wal" else {
            throw StoreError(
                "the store \(connection.path) cannot be opened: wanted a write-ahead log, which needs shared memory"
                    + " on a local disk, found journal mode \(mode ?? "none"); name a file on a local disk",
                isTransient: false)
        }
        try connection.execute(
            """
            -- A commit is on the disk before it is answered: a power cut loses none. NORMAL would lose the last ones.
            PRAGMA synchronous = FULL;
            -- 64 MiB of pages: all of an ordinary store. More measured no faster with a million widgets.
            PRAGMA cache_size = -65536;
            -- Pages are read, not mapped: mapping measured no faster, and a fault of the disk would end the process.
            PRAGMA mmap_size = 0;
            -- The log is folded into the file once it has 4000 pages (16 MiB). The same pages are written again and
            -- again, so folding seldom saves work: the default of 1000 measured 3 to 12 % dearer. A longer log would
            -- save as much again, and make the one commit that folds it slower.
            PRAGMA wal_autocheckpoint = 4000;
            -- A log that grew while somebody read for long is cut down again.
            PRAGMA journal_size_limit = 67108864;
            -- Deleted rows are not overwritten with zeros: the outbox deletes as much as it inserts.
            PRAGMA secure_delete = OFF;
            -- Nothing of a query goes to temporary files.
            PRAGMA temp_store = MEMORY;
            -- No function that a damaged or forged schema names is called.
            PRAGMA trusted_schema = OFF;
            """, during: "be opened")
    }
}
