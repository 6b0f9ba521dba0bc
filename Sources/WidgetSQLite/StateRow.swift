import WidgetContract
import WidgetWorker

/// Widgets' states one behind the other, as a row of `recent_states` holds them.
///
/// Layout of a state, integers little-endian: revision, creation and update (i64 each), sequence and fan-out (i64 each,
/// 0 where there is none), which of the optional ones there are (u8), length of account, slug and document (u32 each),
/// and the three.
enum StateRow {
    /// What a state has of that which may be missing.
    private struct Present: OptionSet {
        let rawValue: UInt8
        static let sequence = Present(rawValue: 1)
        static let document = Present(rawValue: 2)
        static let pushedAt = Present(rawValue: 4)
    }

    private static let fixedLength = 5 * 8 + 1 + 3 * 4

    /// - Parameter picked: which of the widgets, by their places.
    static func bytes(_ widgets: [StoredWidget], _ picked: [Int]) -> [UInt8] {
        // Lent, not copied: a state is three references.
        unsafe widgets.withUnsafeBufferPointer { widgets in
            let total = picked.reduce(0) { unsafe $0 + length(of: widgets[$1]) }
            return unsafe PackedWriter.bytes(total) { writer in
                for place in picked { unsafe put(widgets[place], into: &writer) }
            }
        }
    }

    private static func length(of widget: borrowing StoredWidget) -> Int {
        fixedLength + widget.address.account.utf8.count + widget.address.slug.utf8.count + (widget.document?.count ?? 0)
    }

    private static func put(_ widget: borrowing StoredWidget, into writer: inout PackedWriter) {
        var present: Present = []
        if widget.sequence != nil { present.insert(.sequence) }
        if widget.pushedAt != nil { present.insert(.pushedAt) }
        let (account, slug) = (widget.address.account, widget.address.slug)
        unsafe writer.put(widget.revision)
        unsafe writer.put(widget.createdAt)
        unsafe writer.put(widget.updatedAt)
        unsafe writer.put(widget.sequence ?? 0)
        unsafe writer.put(widget.pushedAt ?? 0)
        let document = widget.document
        if document != nil { present.insert(.document) }
        unsafe writer.put(present.rawValue)
        unsafe writer.put(UInt32(account.utf8.count))
        unsafe writer.put(UInt32(slug.utf8.count))
        unsafe writer.put(UInt32(document?.count ?? 0))
        unsafe writer.put(account)
        unsafe writer.put(slug)
        if let document { unsafe writer.put(document) }
    }

    /// - Throws: `StoreError` when they are not whole.
    static func widgets(_ bytes: [UInt8]) throws -> [StoredWidget] {
        var reader = PackedReader(bytes[...], damage: damaged)
        var widgets: [StoredWidget] = []
        while !reader.rest.isEmpty { widgets.append(try widget(&reader)) }
        return widgets
    }

    private static func widget(_ reader: inout PackedReader) throws -> StoredWidget {
        let revision = try reader.integer(Int64.self)
        let (createdAt, updatedAt) = (try reader.integer(Int64.self), try reader.integer(Int64.self))
        let (sequence, pushedAt) = (try reader.integer(Int64.self), try reader.integer(Int64.self))
        let present = Present(rawValue: try reader.integer(UInt8.self))
        let accountLength = Int(try reader.integer(UInt32.self))
        let slugLength = Int(try reader.integer(UInt32.self))
        let documentLength = Int(try reader.integer(UInt32.self))
        let address = WidgetAddress(account: try reader.text(accountLength), slug: try reader.text(slugLength))
        let document = Array(try reader.take(documentLength))
        return StoredWidget(
            address: address, revision: revision, sequence: present.contains(.sequence) ? sequence : nil,
            createdAt: createdAt, updatedAt: updatedAt, document: present.contains(.document) ? document : nil,
            pushedAt: present.contains(.pushedAt) ? pushedAt : nil)
    }

    private static let damaged = StoreError(
        "the recent states of the store are damaged: their length does not fit", isTransient: false)
}
