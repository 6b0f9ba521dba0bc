import WidgetWorker

/// What was decided under message ids, for the length of the dedupe window.
///
/// Entries are gathered in generations, half a window long. The first column of the key is the moment at which the
/// entries of a generation end: so expiry deletes from one end of the table, a bounded number of rows at a time, and
/// an entry keeps the life it was given when the window is changed between two runs. The id comes before the account:
/// ids that rise with time (counters, UUIDs of version 7) are then appended, whatever accounts they come from. Ids at
/// random (UUIDs of version 4) measured five times dearer in a large table: each rewrites a page of its own.
final class InboxTable {
    private let window: DedupeWindow
    /// The moments at which the generations in the table end, latest first. A generation whose commit failed may be
    /// in the list though it has no rows, never the other way round.
    private var generations: [Int64] = []
    /// A generation that the running commit empties.
    private var emptied: Int64?

    private let find: Statement
    private let put: Statement
    private let delete: Statement
    private let findCut: Statement
    private let deleteToCut: Statement
    private let deleteGeneration: Statement

    init(_ connection: Connection, window: DedupeWindow) throws {
        self.window = window
        find = try Statement(
            connection,
            """
            SELECT fingerprint, rejections, slug, revision, updated_at, changed, deleted, problem FROM inbox
            WHERE expires_at = ?1 AND message_id = ?2 AND account = ?3
            """, during: "look up a message id")
        put = try Statement(
            connection,
            """
            INSERT OR REPLACE INTO inbox (expires_at, message_id, account, fingerprint, rejections, slug, revision,
                updated_at, changed, deleted, problem)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
            """, during: "store a message id")
        delete = try Statement(
            connection, "DELETE FROM inbox WHERE expires_at = ?1 AND message_id = ?2 AND account = ?3",
            during: "replace a message id")
        findCut = try Statement(
            connection,
            """
            SELECT message_id, account FROM inbox WHERE expires_at = ?1
            ORDER BY message_id, account LIMIT 1 OFFSET ?2
            """, during: "forget old message ids")
        deleteToCut = try Statement(
            connection, "DELETE FROM inbox WHERE expires_at = ?1 AND (message_id, account) < (?2, ?3)",
            during: "forget old message ids")
        deleteGeneration = try Statement(
            connection, "DELETE FROM inbox WHERE expires_at = ?1", during: "forget old message ids")
        try findGenerations(connection)
    }

    /// One search a generation, from the latest down.
    private func findGenerations(_ connection: Connection) throws {
        let next = try Statement(
            connection, "SELECT max(expires_at) FROM inbox WHERE expires_at < ?1", during: "look up message ids")
        var above = Int64.max
        while true {
            defer { next.reset() }
            try next.bind(1, above)
            guard try next.step(), let generation = next.optionalInteger(0) else { return }
            generations.append(generation)
            above = generation
        }
    }

    /// The entry under a key that has not ended at `now`; the latest one counts.
    func recall(_ key: InboxKey, at now: Int64) throws -> InboxEntry? {
        for generation in generations {
            if generation <= now { return nil }
            if let entry = try entry(key, in: generation) { return entry }
        }
        return nil
    }

    private func entry(_ key: InboxKey, in generation: Int64) throws -> InboxEntry? {
        try bind(find, key, in: generation) {
            defer { find.reset() }
            guard try find.step() else { return nil }
            let outcome: InboxEntry.Outcome =
                if find.isNull(7) {
                    .accepted(
                        slug: String(decoding: find.bytes(2), as: UTF8.self), revision: find.integer(3),
                        updatedAt: find.integer(4), changed: UInt64(bitPattern: find.integer(5)),
                        deleted: find.integer(6) != 0)
                } else {
                    .rejected(problem: find.bytes(7))
                }
            return InboxEntry(
                key: key, fingerprint: try fingerprint(), outcome: outcome, rejections: Int(find.integer(1)))
        }
    }

    private func fingerprint() throws -> Fingerprint {
        let read = unsafe find.withBytes(0) { bytes in
            bytes.count == Fingerprint.storedLength ? unsafe Fingerprint(stored: bytes, at: 0) : nil
        }
        guard let read else {
            throw StoreError("an entry of the inbox is damaged: its fingerprint has not 16 bytes", isTransient: false)
        }
        return read
    }

    /// Stores an entry in place of any other under its key.
    func put(_ entry: InboxEntry, at now: Int64) throws {
        let generation = window.end(ofEntriesFrom: now)
        // An older one is hidden by this one until it ends. A later one is there only when the clock went back.
        for later in generations.prefix(while: { $0 > generation }) {
            try bind(delete, entry.key, in: later) { try delete.run() }
        }
        if !generations.contains(generation) {
            generations.insert(generation, at: generations.firstIndex { $0 < generation } ?? generations.endIndex)
        }
        try bind(put, entry.key, in: generation) {
            try put.bind(5, Int64(entry.rejections))
            try unsafe entry.fingerprint.withStoredBytes { fingerprint in
                try unsafe put.bind(4, blob: fingerprint)
                try bindOutcome(entry.outcome) { try put.run() }
            }
        }
    }

    private func bindOutcome(_ outcome: InboxEntry.Outcome, _ body: () throws -> Void) throws {
        switch outcome {
        case .accepted(let slug, let revision, let updatedAt, let changed, let deleted):
            try put.bind(7, revision)
            try put.bind(8, updatedAt)
            try put.bind(9, Int64(bitPattern: changed))
            try put.bind(10, deleted ? 1 : 0)
            try put.bindNull(11)
            try unsafe slug.withUTF8Bytes { slug in
                try unsafe put.bind(6, text: slug)
                try body()
            }
        case .rejected(let problem):
            for column in Int32(6)...10 { try put.bindNull(column) }
            try unsafe problem.withUnsafeBufferPointer { problem in
                try unsafe put.bind(11, text: problem)
                try body()
            }
        }
    }

    /// Deletes entries that have ended at `now`, at most `limit` of them.
    func expire(at now: Int64, limit: Int) throws {
        guard let oldest = generations.last, oldest <= now else { return }
        defer { findCut.reset() }
        try findCut.bind(1, oldest)
        try findCut.bind(2, Int64(limit))
        guard try findCut.step() else {
            try deleteGeneration.bind(1, oldest)
            try deleteGeneration.run()
            emptied = oldest
            return
        }
        let (messageID, account) = (findCut.bytes(0), findCut.bytes(1))
        findCut.reset()
        try unsafe account.withUnsafeBufferPointer { account in
            try unsafe messageID.withUnsafeBytes { messageID in
                try deleteToCut.bind(1, oldest)
                try unsafe deleteToCut.bind(3, text: account)
                try unsafe deleteToCut.bind(2, blob: messageID)
                try deleteToCut.run()
            }
        }
    }

    /// The commit that called `expire` is durable, or was rolled back.
    func transactionEnded(committed: Bool) {
        if committed, let emptied { generations.removeAll { $0 == emptied } }
        emptied = nil
    }

    private func bind<Result>(
        _ statement: Statement, _ key: InboxKey, in generation: Int64, _ body: () throws -> Result
    ) throws -> Result {
        try statement.bind(1, generation)
        return try unsafe key.account.withUTF8Bytes { account in
            try unsafe statement.bind(3, text: account)
            return try unsafe key.messageID.withUnsafeBytes { messageID in
                try unsafe statement.bind(2, blob: messageID)
                return try body()
            }
        }
    }
}
