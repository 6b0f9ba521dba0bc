import WidgetWorker

/// What was decided under message ids, for the length of the dedupe window.
///
/// A commit's entries are one row, appended whole, so that an id costs the same wherever it sorts: as rows of their own,
/// ids at random (UUIDs of version 4) would each rewrite a page. Which ids are in which row is known from memory: a row
/// also holds the hashes of its ids, and they are all that is read at the start.
///
/// Entries are gathered in generations, half a window long, that end as a whole: then their index is given up at once
/// and their rows a bounded number at a time. An entry keeps the life it was given when the window is changed between
/// two runs.
final class InboxTable {
    /// The entries that end at one moment.
    private final class Generation {
        let end: Int64
        /// By the commit that wrote them, with the number of their entries.
        var rows: [(number: Int64, entries: Int)] = []
        var index: InboxIndex

        init(end: Int64, expecting count: Int) {
            self.end = end
            index = InboxIndex(expecting: count)
        }
    }

    /// What the running commit does to the tables, for when it is durable.
    private struct Changes {
        var now = Int64.min
        var added: (number: Int64, end: Int64, hashes: [UInt64])?
        var emptied: (generation: Generation, rows: Int)?
    }

    private let window: DedupeWindow
    private let hash: InboxHash
    /// Earliest end first.
    private var generations: [Generation] = []
    private var changes = Changes()
    /// The row that was read last: what comes back after a crash comes in the order in which it was decided.
    private var lastRead: (number: Int64, row: InboxRow)?

    private let find: Statement
    private let insert: Statement
    private let delete: Statement

    init(_ connection: Connection, window: DedupeWindow) throws {
        self.window = window
        hash = try InboxRows.hash(connection)
        find = try Statement(
            connection, "SELECT entries FROM inbox_rows WHERE number = ?1", during: "look up a message id")
        insert = try InboxRows.insertion(connection)
        delete = try Statement(
            connection, "DELETE FROM inbox_rows WHERE number = ?1", during: "forget old message ids")
        generations = try InboxRows.generations(connection).map { Generation(end: $0.end, expecting: $0.ids) }
        try InboxRows.visitHashes(connection) { number, end, hashes in
            add(number, hashes, to: generation(endingAt: end))
        }
    }

    /// The entry under a key that has not ended at `now`; the latest one counts.
    func recall(_ key: InboxKey, at now: Int64) throws -> InboxEntry? {
        let hash = hash(key)
        var latest: (number: Int64, position: Int)?
        for generation in generations where generation.end > now {
            guard let place = generation.index.place(of: hash) else { continue }
            let number = generation.rows[Int(place.row)].number
            // Almost always in a later generation, too; not when the clock went back.
            if number > latest?.number ?? .min { latest = (number, Int(place.position)) }
        }
        guard let latest else { return nil }
        let entry = try row(latest.number).entry(at: latest.position)
        return entry.key == key ? entry : nil
    }

    private func row(_ number: Int64) throws -> InboxRow {
        if let lastRead, lastRead.number == number { return lastRead.row }
        defer { find.reset() }
        try find.bind(1, number)
        guard try find.step() else {
            throw StoreError("the inbox is damaged: its row \(number) is gone", isTransient: false)
        }
        let row = InboxRow(stored: find.bytes(0))
        lastRead = (number, row)
        return row
    }

    /// Stores the entries of a commit, each in place of any other under its key.
    func put(_ entries: [InboxEntry], at now: Int64, number: Int64) throws {
        changes.now = now
        guard !entries.isEmpty else { return }
        let hashes = entries.map { hash($0.key) }
        let end = window.end(ofEntriesFrom: now)
        try InboxRows.insert(entries, hashes, number: number, end: end, with: insert)
        changes.added = (number, end, hashes)
    }

    /// Deletes rows that have ended at `now`, of about `limit` entries.
    func expire(at now: Int64, limit: Int) throws {
        guard let oldest = generations.first, oldest.end <= now else { return }
        var (rows, entries) = (0, 0)
        for row in oldest.rows.reversed() where entries < limit {
            try delete.bind(1, row.number)
            try delete.run()
            rows += 1
            entries += row.entries
        }
        changes.emptied = (oldest, rows)
    }

    /// The commit that called `put` and `expire` is durable, or was rolled back.
    func transactionEnded(committed: Bool) {
        defer { changes = Changes() }
        guard committed else { return }
        if let (number, end, hashes) = changes.added { add(number, hashes, to: generation(endingAt: end)) }
        if let (generation, rows) = changes.emptied {
            generation.rows.removeLast(rows)
            if generation.rows.isEmpty { generations.removeAll { $0 === generation } }
        }
        for generation in generations where generation.end <= changes.now && generation.index.count > 0 {
            generation.index = InboxIndex(expecting: 0)
        }
    }

    private func add(_ number: Int64, _ hashes: [UInt64], to generation: Generation) {
        let row = UInt32(generation.rows.count)
        generation.rows.append((number, hashes.count))
        for (position, hash) in hashes.enumerated() {
            generation.index.put(hash, at: InboxIndex.Place(row: row, position: UInt32(position)))
        }
    }

    private func generation(endingAt end: Int64) -> Generation {
        let place = generations.firstIndex { $0.end >= end } ?? generations.endIndex
        if place < generations.endIndex, generations[place].end == end { return generations[place] }
        // Probably as many as in the last one: then it does not grow at work.
        let new = Generation(end: end, expecting: generations.last?.index.count ?? 0)
        generations.insert(new, at: place)
        return new
    }
}
