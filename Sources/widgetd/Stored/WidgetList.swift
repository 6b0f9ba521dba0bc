import WidgetContract
import WidgetSQLite
import WidgetWorker

/// Widgets as a table, a line each.
struct WidgetList {
    private let now: Int64
    private var table = TextTable([
        TextTable.Column(title: "WIDGET", isFlexible: true),
        TextTable.Column(title: "NAME", isFlexible: true, isOptional: true),
        TextTable.Column(title: "TEMPLATE", isOptional: true), TextTable.Column(title: "STATE", isFlexible: true),
        TextTable.Column(title: "REVISION", isRight: true, isOptional: true),
        TextTable.Column(title: "UPDATED", isRight: true),
        TextTable.Column(title: ""), TextTable.Column(title: ""),
    ])
    private(set) var count = 0

    /// - Parameter now: milliseconds since 1970.
    init(now: Int64) {
        self.now = now
    }

    mutating func add(_ entry: StoredWidgets.Entry) {
        let widget = entry.widget
        count += 1
        let isStale = widget.isStale(at: now)
        table.add([
            TextTable.Cell("\(widget.address.account)/\(widget.address.slug)"), TextTable.Cell(widget.widgetName),
            TextTable.Cell(widget.template ?? "", .dim), TextTable.Cell(Self.state(of: widget, now: now)),
            TextTable.Cell("\(widget.revision)"), TextTable.Cell(Age.text(from: widget.updatedAt, now: now)),
            TextTable.Cell(isStale ? "stale" : "", .yellow),
            TextTable.Cell(entry.pending.map { Self.pending($0, now: now) } ?? "", .cyan),
        ])
    }

    func write(to terminal: Terminal) throws {
        try table.write(to: terminal)
    }

    /// `push in 9 s`
    static func pending(_ pending: WidgetSnapshot.Pending, now: Int64) -> String {
        pending.dueAt > now ? "push " + Age.text(from: pending.dueAt, now: now) : "push due"
    }

    /// A word on the content: a bar, a value, the time to its end, else its label.
    static func state(of widget: Widget, now: Int64) -> String {
        if let fraction = widget.fraction {
            // The figure comes first: it is what a narrow terminal keeps.
            return Bar.percentage(fraction).padded(to: 5, right: true) + " " + Bar.text(fraction, columns: 10)
        }
        if let value = widget.contentText("value") {
            return value + (widget.contentText("unit").map { " \($0)" } ?? "")
        }
        if widget.template == Template.countdown.rawValue, let end = widget.contentDate("end_date") {
            return (end > now ? "ends " : "ended ") + Age.text(from: end, now: now)
        }
        return widget.contentText("label") ?? ""
    }
}
