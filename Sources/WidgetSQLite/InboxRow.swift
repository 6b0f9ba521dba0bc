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
        bytes = unsafe [UInt8](unsafeUninitializedCapacity: length) { buffer, filled in
            var writer = unsafe Writer(place: UnsafeMutableRawBufferPointer(buffer))
            for entry in entries { unsafe writer.put(entry) }
            filled = length
        }
    }

    private static func length(of entry: InboxEntry) -> Int {
        let key = fixedLength + entry.key.account.utf8.count + entry.key.messageID.count
        switch entry.outcome {
        case .accepted(let slug, _, _, _, _): return key + acceptedLength + slug.utf8.count
        case .rejected(let problem): return key + problem.count
        }
    }

    @unsafe private struct Writer {
        var place: UnsafeMutableRawBufferPointer

        mutating func put(_ entry: InboxEntry) {
            unsafe put(UInt32(InboxRow.length(of: entry)))
            unsafe put(entry.fingerprint.high)
            unsafe put(entry.fingerprint.low)
            unsafe put(UInt32(clamping: entry.rejections))
            let kind: Kind
            switch entry.outcome {
            case .accepted(_, _, _, _, let deleted): kind = deleted ? .deleted : .accepted
            case .rejected: kind = .rejected
            }
            unsafe put(kind.rawValue)
            unsafe put(UInt32(entry.key.account.utf8.count))
            unsafe put(UInt32(entry.key.messageID.count))
            unsafe put(entry.key.account)
            unsafe put(entry.key.messageID)
            switch entry.outcome {
            case .accepted(let slug, let revision, let updatedAt, let changed, _):
                unsafe put(revision)
                unsafe put(updatedAt)
                unsafe put(changed)
                unsafe put(slug)
            case .rejected(let problem):
                unsafe put(problem)
            }
        }

        private mutating func put<Number: FixedWidthInteger & BitwiseCopyable>(_ number: Number) {
            unsafe place.storeBytes(of: number.littleEndian, as: Number.self)
            unsafe move(MemoryLayout<Number>.size)
        }

        private mutating func put(_ bytes: [UInt8]) {
            unsafe place.copyBytes(from: bytes)
            unsafe move(bytes.count)
        }

        private mutating func put(_ text: String) {
            let count = text.utf8.count
            unsafe text.withUTF8Bytes { unsafe place.copyMemory(from: UnsafeRawBufferPointer($0)) }
            unsafe move(count)
        }

        private mutating func move(_ count: Int) {
            unsafe place = unsafe UnsafeMutableRawBufferPointer(rebasing: place[count...])
        }
    }

    // MARK: Reading

    /// - Throws: `StoreError` when there is no whole entry at the position.
    func entry(at position: Int) throws -> InboxEntry {
        var rest = bytes[...]
        for _ in 0..<position {
            let length = try Self.integer(UInt32.self, from: &rest)
            _ = try Self.take(Int(length), from: &rest)
        }
        let length = try Self.integer(UInt32.self, from: &rest)
        return try Self.entry(in: Self.take(Int(length), from: &rest))
    }

    /// The first so many entries.
    func entries(_ count: Int) throws -> [InboxEntry] {
        var rest = bytes[...]
        return try (0..<count).map { _ in
            let length = try Self.integer(UInt32.self, from: &rest)
            return try Self.entry(in: Self.take(Int(length), from: &rest))
        }
    }

    private static func entry(in bytes: ArraySlice<UInt8>) throws -> InboxEntry {
        var rest = bytes
        let fingerprint = Fingerprint(
            high: try integer(UInt64.self, from: &rest), low: try integer(UInt64.self, from: &rest))
        let rejections = Int(try integer(UInt32.self, from: &rest))
        let kind = Kind(rawValue: try integer(UInt8.self, from: &rest))
        let accountLength = Int(try integer(UInt32.self, from: &rest))
        let idLength = Int(try integer(UInt32.self, from: &rest))
        let account = String(decoding: try take(accountLength, from: &rest), as: UTF8.self)
        let key = InboxKey(account: account, messageID: Array(try take(idLength, from: &rest)))
        let outcome: InboxEntry.Outcome
        switch kind {
        case .accepted, .deleted:
            let (revision, updatedAt) = (try integer(Int64.self, from: &rest), try integer(Int64.self, from: &rest))
            let changed = try integer(UInt64.self, from: &rest)
            outcome = .accepted(
                slug: String(decoding: rest, as: UTF8.self), revision: revision, updatedAt: updatedAt, changed: changed,
                deleted: kind == .deleted)
        case .rejected: outcome = .rejected(problem: Array(rest))
        case nil: throw damaged
        }
        return InboxEntry(key: key, fingerprint: fingerprint, outcome: outcome, rejections: rejections)
    }

    private static func take(_ count: Int, from rest: inout ArraySlice<UInt8>) throws -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw damaged }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    private static func integer<Number: FixedWidthInteger & BitwiseCopyable>(
        _ type: Number.Type, from rest: inout ArraySlice<UInt8>
    ) throws -> Number {
        let bytes = try take(MemoryLayout<Number>.size, from: &rest)
        return unsafe bytes.withUnsafeBytes { unsafe Number(littleEndian: $0.loadUnaligned(as: Number.self)) }
    }

    private static let damaged = StoreError(
        "an entry of the inbox is damaged: its length does not fit", isTransient: false)
}
