public import WidgetContract
import WidgetJSON

/// The JSON of accepted content and of deletions.
public enum AcceptedText {
    /// The fan-out's body.
    /// - Parameter changed: the members that it tells of as changed; none where a widget is only looked at.
    public static func write(_ widget: Widget, changed: ChangedMembers, to out: inout [UInt8]) {
        var json = JSONWriter()
        json.beginObject(&out)
        json.head(widget.address, revision: widget.revision, &out)
        if let document = widget.document {
            json.rawMembers(document.text[1..<document.text.count - 1], &out)
            json.name("created_at", &out)
            json.date(widget.createdAt, &out)
            json.name("updated_at", &out)
            json.date(widget.updatedAt, &out)
            json.changed(changed, &out)
        } else {
            json.name("deleted", &out)
            json.boolean(true, &out)
            json.name("updated_at", &out)
            json.date(widget.updatedAt, &out)
        }
        json.endObject(&out)
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
            raw(Self.changedTexts[rest.trailingZeroBitCount][...], &out)
            rest &= rest - 1
        }
        endArray(&out)
    }

    private static let changedTexts = ChangedMembers.pointers.map { $0.description.jsonText }
}
