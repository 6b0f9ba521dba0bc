import WidgetWorker

/// Entries of the inbox one behind the other, as a row of the database holds them.
///
/// Layout of an entry, integers little-endian: length of what follows (u32), fingerprint (16 bytes), rejections (u32),
/// kind (u8), length of the account (u32), of the message id (u32), both, and then for an accepted message revision
/// (i64), time (i64), changed members (u64) and slug, for a rejected one the problem.
struct InboxRow {
    private enum Kind: UInt8 {
        case accepted, deleted, rejected
    }

    private static let fixedLength = Fingerprint.storedLength + 4 + 1 + 4 + 4
    private static let acceptedLength = 8 + 8 + 8

    let bytes: [UInt8]

    init(stored bytes: [UInt8]) {
        self.bytes = bytes
    }

    // MARK: Writing

    init(_ entries: [InboxEntry]) {
        let length = entries.reduce(0) { $0 + 4 + Self.length(of: $1) }
        bytes = unsafe PackedWriter.bytes(length) { writer in
            for entry in entries { unsafe Self.put(entry, into: &writer) }
        }
    }

    private static func length(of entry: InboxEntry) -> Int {
        let key = fixedLength + entry.key.account.utf8.count + entry.key.messageID.count
        switch entry.outcome {
        case .accepted(let slug, _, _, _, _): return key + acceptedLength + slug.utf8.count
        case .rejected(let problem): return key + problem.count
        }
    }

    private static func put(_ entry: InboxEntry, into writer: inout PackedWriter) {
        unsafe writer.put(UInt32(length(of: entry)))
        unsafe writer.put(entry.fingerprint.high)
        unsafe writer.put(entry.fingerprint.low)
        unsafe writer.put(UInt32(clamping: entry.rejections))
        let kind: Kind
        switch entry.outcome {
        case .accepted(_, _, _, _, let deleted): kind = deleted ? .deleted : .accepted
        case .rejected: kind = .rejected
        }
        unsafe writer.put(kind.rawValue)
        unsafe writer.put(UInt32(entry.key.account.utf8.count))
        unsafe writer.put(UInt32(entry.key.messageID.count))
        unsafe writer.put(entry.key.account)
        unsafe writer.put(entry.key.messageID)
        switch entry.outcome {
        case .accepted(let slug, let revision, let updatedAt, let changed, _):
            unsafe writer.put(revision)
            unsafe writer.put(updatedAt)
            unsafe writer.put(changed)
            unsafe writer.put(slug)
        case .rejected(let problem):
            unsafe writer.put(problem)
        }
    }

    // MARK: Reading

    /// - Throws: `StoreError` when there is no whole entry at the position.
    func entry(at position: Int) throws -> InboxEntry {
        var reader = PackedReader(bytes[...], damage: Self.damaged)
        for _ in 0..<position { _ = try reader.take(Int(try reader.integer(UInt32.self))) }
        return try Self.entry(&reader)
    }

    /// The first so many entries.
    func entries(_ count: Int) throws -> [InboxEntry] {
        var reader = PackedReader(bytes[...], damage: Self.damaged)
        return try (0..<count).map { _ in try Self.entry(&reader) }
    }

    private static func entry(_ row: inout PackedReader) throws -> InboxEntry {
        var reader = PackedReader(try row.take(Int(try row.integer(UInt32.self))), damage: damaged)
        let fingerprint = Fingerprint(high: try reader.integer(UInt64.self), low: try reader.integer(UInt64.self))
        let rejections = Int(try reader.integer(UInt32.self))
        let kind = Kind(rawValue: try reader.integer(UInt8.self))
        let accountLength = Int(try reader.integer(UInt32.self))
        let idLength = Int(try reader.integer(UInt32.self))
        let account = try reader.text(accountLength)
        let key = InboxKey(account: account, messageID: Array(try reader.take(idLength)))
        let outcome: InboxEntry.Outcome
        switch kind {
        case .accepted, .deleted:
            let (revision, updatedAt) = (try reader.integer(Int64.self), try reader.integer(Int64.self))
            let changed = try reader.integer(UInt64.self)
            outcome = .accepted(
                slug: String(decoding: reader.rest, as: UTF8.self), revision: revision, updatedAt: updatedAt,
                changed: changed, deleted: kind == .deleted)
        case .rejected: outcome = .rejected(problem: Array(reader.rest))
        case nil: throw damaged
        }
        return InboxEntry(key: key, fingerprint: fingerprint, outcome: outcome, rejections: rejections)
    }

    private static let damaged = StoreError(
        "an entry of the inbox is damaged: its length does not fit", isTransient: false)
}
