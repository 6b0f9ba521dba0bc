import WidgetContract
import WidgetJSON
import WidgetJSONParsing
import WidgetSQLite
import WidgetTime
import WidgetWorker

/// One widget with all that is stored of it, a line a member.
struct WidgetDetails {
    private let widget: Widget
    private let now: Int64
    private var table = TextTable([TextTable.Column(title: ""), TextTable.Column(title: "", isFlexible: true)])

    /// - Parameter now: milliseconds since 1970.
    init(_ entry: StoredWidgets.Entry, now: Int64) throws {
        widget = entry.widget
        self.now = now
        let document = try Self.redacted(widget)
        add("widget", "\(widget.address.account)/\(widget.address.slug)", .bold)
        for (name, value) in document.members(of: 0) where !document.hasString(at: name, equalTo: "content") {
            addMember(document, name, value)
        }
        if let content = document.member("content") {
            for (name, value) in document.members(of: content) { addMember(document, name, value) }
        }
        add("revision", "\(widget.revision)")
        if let sequence = widget.sequence { add("sequence", "\(sequence)") }
        add("created_at", Self.time(widget.createdAt, now))
        add("updated_at", Self.time(widget.updatedAt, now))
        if let pending = entry.pending {
            let what = pending.changed.locations.map(\.description).joined(separator: " ")
            add(
                "pending",
                "\(WidgetList.pending(pending, now: now)), \(Words.count(pending.updates, "update")) \(what)", .cyan)
        }
    }

    func write(to terminal: Terminal) throws {
        try table.write(to: terminal, hasHead: false)
    }

    /// Values of action headers are often credentials; a screen is no place for them.
    private static func redacted(_ widget: Widget) throws -> Document {
        do {
            return try DocumentReader().read(Redaction.text(of: widget.document ?? Document()))
        } catch {
            throw ProgramError.unavailable("the stored document of \(widget.address.slug) is not JSON: \(error)")
        }
    }

    private mutating func addMember(_ document: Document, _ name: Int, _ value: Int) {
        let member = document.string(at: name) ?? ""
        let text = document.string(at: value) ?? String(decoding: document.textOfValue(at: value), as: UTF8.self)
        switch member {
        case "value":
            let bar = widget.fraction.map { "  \(Bar.text($0, columns: 20)) \(Bar.percentage($0))" }
            add(member, text + (bar ?? ""))
        case "push_throttle": add(member, text + " s")
        case "stale_after":
            let isStale = widget.isStale(at: now)
            let since = widget.staleAt.map {
                isStale
                    ? ", stale since \(Age.text(milliseconds: now - $0))"
                    : ", stale \(Age.text(from: $0, now: now))"
            }
            add(member, text + " s" + (since ?? ""), isStale ? .yellow : nil)
        default:
            let date = document.string(at: value).flatMap { DateTimeText.read(Array($0.utf8)[...]) }
            add(member, text + (date.map { "  \(Age.text(from: $0.milliseconds, now: now))" } ?? ""))
        }
    }

    private mutating func add(_ name: String, _ text: String, _ style: Style? = nil) {
        table.add([TextTable.Cell(name, .dim), TextTable.Cell(text, style)])
    }

    private static func time(_ milliseconds: Int64, _ now: Int64) -> String {
        var text: [UInt8] = []
        DateTimeText.write(milliseconds: milliseconds, to: &text)
        return "\(String(decoding: text, as: UTF8.self))  \(Age.text(from: milliseconds, now: now))"
    }
}
