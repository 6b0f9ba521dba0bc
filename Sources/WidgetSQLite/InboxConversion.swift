import WidgetWorker

/// Takes the ids of version 2 of the database, a row each in `inbox`, over into rows of many.
enum InboxConversion {
    private static let entriesPerRow = 1000

    static func run(on connection: Connection) throws {
        let old = try Statement(
            connection,
            """
            SELECT expires_at, message_id, account, fingerprint, rejections, slug, revision, updated_at, changed,
                deleted, problem
            FROM inbox ORDER BY expires_at
            """, during: "take over message ids")
        let insert = try InboxRows.insertion(connection)
        let hash = try InboxRows.hash(connection)
        // Before all commits, the ones that end last after those that end first.
        var number: Int64 = -1 << 40
        var (entries, end) = ([InboxEntry](), Int64.min)
        func put() throws {
            guard !entries.isEmpty else { return }
            try InboxRows.insert(entries, entries.map { hash($0.key) }, number: number, end: end, with: insert)
            number += 1
            entries = []
        }
        while try old.step() {
            if old.integer(0) != end || entries.count == entriesPerRow { try put() }
            end = old.integer(0)
            entries.append(try entry(old))
        }
        old.reset()
        try put()
        try connection.execute("DROP TABLE inbox", during: "take over message ids")
    }

    private static func entry(_ old: Statement) throws -> InboxEntry {
        guard let fingerprint = Fingerprint.stored(old.bytes(3))?.first else {
            throw StoreError("an entry of the inbox is damaged: its fingerprint has not 16 bytes", isTransient: false)
        }
        let outcome: InboxEntry.Outcome =
            if old.isNull(10) {
                .accepted(
                    slug: String(decoding: old.bytes(5), as: UTF8.self), revision: old.integer(6),
                    updatedAt: old.integer(7), changed: UInt64(bitPattern: old.integer(8)),
                    deleted: old.integer(9) != 0)
            } else {
                .rejected(problem: old.bytes(10))
            }
        return InboxEntry(
            key: InboxKey(account: String(decoding: old.bytes(2), as: UTF8.self), messageID: old.bytes(1)),
            fingerprint: fingerprint, outcome: outcome, rejections: Int(old.integer(4)))
    }
}
