import WidgetContract
import WidgetJSON
import WidgetWorker

/// A widget's state as the value of its key.
///
/// Layout, integers little-endian: revision (i64) and the time of the last push (i64), which commits compare; 1 for a
/// widget with a document and 0 for a deleted one (u8); 1 when a sequence is known (u8), sequence, created, updated (i64
/// each), document.
enum StateValue {
    static let versionLength = 16
    private static let fixedLength = versionLength + 1 + 1 + 3 * 8

    static func add(_ version: WidgetVersion?, to command: inout Command) {
        guard let version else { return command.add("") }
        command.add(length: versionLength) { put(version.revision, version.pushedAt, to: &$0) }
    }

    static func add(_ widget: StoredWidget, to command: inout Command) {
        command.add(length: fixedLength + (widget.document?.count ?? 0)) { out in
            put(widget.revision, widget.pushedAt, to: &out)
            out.put(widget.document == nil ? 0 : 1)
            out.put(widget.sequence == nil ? 0 : 1)
            for number in [widget.sequence ?? 0, widget.createdAt, widget.updatedAt] { out.putBytes(of: number) }
            if let document = widget.document { out.put(document) }
        }
    }

    private static func put(_ revision: Int64, _ pushedAt: Int64?, to out: inout ByteWriter) {
        out.putBytes(of: revision)
        out.putBytes(of: pushedAt ?? ValueReader.absentNumber)
    }

    static func widget(_ bytes: [UInt8], at address: WidgetAddress) throws(RedisFault) -> StoredWidget {
        var reader = ValueReader(bytes, "a widget")
        let (revision, pushedAt): (Int64, Int64?) = (try reader.integer(), try reader.optionalInteger())
        let (isLive, hasSequence) = (try reader.integer(UInt8.self) == 1, try reader.integer(UInt8.self) == 1)
        let (sequence, createdAt, updatedAt): (Int64, Int64, Int64) = (
            try reader.integer(), try reader.integer(), try reader.integer()
        )
        return StoredWidget(
            address: address, revision: revision, sequence: hasSequence ? sequence : nil, createdAt: createdAt,
            updatedAt: updatedAt, document: isLive ? reader.remainder() : nil, pushedAt: pushedAt)
    }
}
