import WidgetWorker

/// The inbox in the database: a row a commit, with the hashes of its ids before its entries, and the seed of the hashes.
enum InboxRows {
    private static let hashLength = MemoryLayout<UInt64>.size

    /// The hash that the database's rows go by.
    static func hash(_ connection: Connection) throws -> InboxHash {
        let select = try Statement(connection, "SELECT seed FROM inbox_seed", during: "look up message ids")
        defer { select.reset() }
        guard try select.step(), let hash = InboxHash(seed: select.bytes(0)) else {
            throw StoreError("the inbox is damaged: it has no seed of 16 bytes", isTransient: false)
        }
        return hash
    }

    static func insertion(_ connection: Connection) throws -> Statement {
        try Statement(
            connection, "INSERT INTO inbox_rows (number, expires_at, hashes, entries) VALUES (?1, ?2, ?3, ?4)",
            during: "store message ids")
    }

    /// - Parameters:
    ///   - hashes: of the entries, in their order.
    ///   - number: of the commit.
    ///   - end: when the entries end, in milliseconds since 1970.
    static func insert(
        _ entries: [InboxEntry], _ hashes: [UInt64], number: Int64, end: Int64, with statement: Statement
    ) throws {
        try statement.bind(1, number)
        try statement.bind(2, end)
        try unsafe hashes.map(\.littleEndian).withUnsafeBytes { hashes in
            try unsafe statement.bind(3, blob: hashes)
            try unsafe InboxRow(entries).bytes.withUnsafeBytes { entries in
                try unsafe statement.bind(4, blob: entries)
                try statement.run()
            }
        }
    }

    /// How many ids each generation has, earliest end first. A blob's length is in its row's head.
    static func generations(_ connection: Connection) throws -> [(end: Int64, ids: Int)] {
        let counts = try Statement(
            connection,
            "SELECT expires_at, sum(length(hashes)) FROM inbox_rows GROUP BY expires_at ORDER BY expires_at",
            during: "look up message ids")
        defer { counts.reset() }
        var generations: [(end: Int64, ids: Int)] = []
        while try counts.step() { generations.append((counts.integer(0), Int(counts.integer(1)) / hashLength)) }
        return generations
    }

    /// Visits the rows, lowest number first. The entries stay unread: SQLite follows a long row only as far as asked.
    static func visitHashes(
        _ connection: Connection, _ visit: (_ number: Int64, _ end: Int64, _ hashes: [UInt64]) -> Void
    ) throws {
        let rows = try Statement(
            connection, "SELECT number, expires_at, hashes FROM inbox_rows ORDER BY number",
            during: "look up message ids")
        defer { rows.reset() }
        while try rows.step() {
            let hashes = unsafe rows.withBytes(2) { bytes in
                stride(from: 0, to: bytes.count / hashLength * hashLength, by: hashLength).map {
                    UInt64(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self))
                }
            }
            visit(rows.integer(0), rows.integer(1), hashes)
        }
    }
}
