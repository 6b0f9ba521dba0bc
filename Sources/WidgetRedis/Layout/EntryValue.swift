import WidgetJSON
import WidgetWorker

/// An entry of the inbox as the value of its key.
///
/// Layout, integers little-endian: the moment it ends, milliseconds since 1970 (i64); fingerprint (two u64), rejections
/// (u32), kind (u8), and then for an accepted message revision, time (i64 each), changed members (u64) and slug, for a
/// rejected one the problem.
enum EntryValue {
    private enum Kind: UInt8 {
        case accepted, deleted, rejected
    }

    private static let fixedLength = 8 + 16 + 4 + 1
    private static let acceptedLength = 8 + 8 + 8

    /// - Parameter end: of its life, milliseconds since 1970.
    static func add(_ entry: InboxEntry, endingAt end: Int64, to command: inout Command) {
        let length =
            switch entry.outcome {
            case .accepted(let slug, _, _, _, _): acceptedLength + slug.utf8.count
            case .rejected(let problem): problem.count
            }
        command.add(length: fixedLength + length) { out in
            out.putBytes(of: end)
            out.putBytes(of: entry.fingerprint.high)
            out.putBytes(of: entry.fingerprint.low)
            out.putBytes(of: UInt32(clamping: entry.rejections))
            switch entry.outcome {
            case .accepted(let slug, let revision, let updatedAt, let changed, let deleted):
                out.put((deleted ? Kind.deleted : .accepted).rawValue)
                out.putBytes(of: revision)
                out.putBytes(of: updatedAt)
                out.putBytes(of: changed)
                out.put(text: slug)
            case .rejected(let problem):
                out.put(Kind.rejected.rawValue)
                out.put(problem)
            }
        }
    }

    /// - Returns: `nil` for one that has ended at `now`.
    static func entry(_ bytes: [UInt8], under key: InboxKey, at now: Int64) throws(RedisFault) -> InboxEntry? {
        var reader = ValueReader(bytes, "an entry of the inbox")
        guard try reader.integer(Int64.self) > now else { return nil }
        let fingerprint = Fingerprint(high: try reader.integer(), low: try reader.integer())
        let rejections = Int(try reader.integer(UInt32.self))
        let outcome: InboxEntry.Outcome
        let kind = try reader.integer(UInt8.self)
        switch Kind(rawValue: kind) {
        case .accepted, .deleted:
            let (revision, updatedAt): (Int64, Int64) = (try reader.integer(), try reader.integer())
            let changed: UInt64 = try reader.integer()
            outcome = .accepted(
                slug: String(decoding: reader.remainder(), as: UTF8.self), revision: revision, updatedAt: updatedAt,
                changed: changed, deleted: kind == Kind.deleted.rawValue)
        case .rejected: outcome = .rejected(problem: reader.remainder())
        case nil: throw RedisFault(.damaged, "holds an entry of the inbox of no known kind: was it changed by hand?")
        }
        return InboxEntry(key: key, fingerprint: fingerprint, outcome: outcome, rejections: rejections)
    }
}
