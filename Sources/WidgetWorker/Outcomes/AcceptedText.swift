public import WidgetContract
import WidgetJSON
import WidgetTime

/// The JSON of accepted content and of deletions.
///
/// An accepted widget's address needs no escapes: its pattern allows no such character.
public enum AcceptedText {
    /// Writes the fan-out's body.
    /// - Parameters:
    ///   - account: the bytes of the widget's account.
    ///   - slug: the bytes of its slug.
    static func write(
        _ widget: Widget, _ account: UnsafeRawBufferPointer, _ slug: UnsafeRawBufferPointer, changed: ChangedMembers,
        to out: inout ByteWriter
    ) {
        out.put(#"{"account":""#)
        unsafe out.put(account)
        out.put(#"","slug":""#)
        unsafe out.put(slug)
        out.put(#"","revision":"#)
        out.putDecimal(widget.revision)
        if let document = widget.document {
            putMembers(of: document, to: &out)
            out.put(#","created_at":""#)
            out.putDateTime(widget.createdAt)
            out.put(#"","updated_at":""#)
            out.putDateTime(widget.updatedAt)
            out.put(#"","changed":["#)
            putPointers(of: changed, to: &out)
            out.put("]}")
        } else {
            out.put(#","deleted":true,"updated_at":""#)
            out.putDateTime(widget.updatedAt)
            out.put("\"}")
        }
    }

    /// Appends the fan-out's body.
    /// - Parameter changed: the members that it tells of as changed; none where a widget is only looked at.
    public static func write(_ widget: Widget, changed: ChangedMembers, to out: inout [UInt8]) {
        unsafe widget.address.withBytes { account, slug in
            out.write(atMost: mostBytes(of: widget)) { unsafe write(widget, account, slug, changed: changed, to: &$0) }
        }
    }

    /// Bytes that the body of a widget takes at most.
    static func mostBytes(of widget: Widget) -> Int {
        let address = widget.address
        return fixedBytes + address.account.utf8.count + address.slug.utf8.count + (widget.document?.text.count ?? 0)
    }

    /// The members' names, revision and times take fewer than 256.
    private static let fixedBytes = 256 + changedTexts.reduce(0) { $0 + $1.count + 1 }

    private static func putMembers(of document: Document, to out: inout ByteWriter) {
        guard document.text.count > 2 else { return }
        out.put(0x2C)
        out.put(document.text[1..<document.text.count - 1])
    }

    private static func putPointers(of changed: ChangedMembers, to out: inout ByteWriter) {
        var rest = changed.rawValue
        while rest != 0 {
            out.put(changedTexts[rest.trailingZeroBitCount])
            rest &= rest - 1
            if rest != 0 { out.put(0x2C) }
        }
    }

    fileprivate static let changedTexts = ChangedMembers.pointers.map { $0.description.jsonText }
}

extension ByteWriter {
    fileprivate mutating func putDateTime(_ milliseconds: Int64) {
        let words = DateTimeText.words(milliseconds: milliseconds)
        putBytes(of: words.0)
        putBytes(of: words.1)
        putBytes(of: words.2)
    }
}

extension JSONWriter {
    /// Account, slug and revision.
    mutating func head(_ address: WidgetAddress, revision: Int64, _ out: inout [UInt8]) {
        name("account", &out)
        string(address.account, &out)
        name("slug", &out)
        string(address.slug, &out)
        name("revision", &out)
        integer(revision, &out)
    }

    mutating func changed(_ changed: ChangedMembers, _ out: inout [UInt8]) {
        name("changed", &out)
        beginArray(&out)
        var rest = changed.rawValue
        while rest != 0 {
            raw(AcceptedText.changedTexts[rest.trailingZeroBitCount][...], &out)
            rest &= rest - 1
        }
        endArray(&out)
    }
}
