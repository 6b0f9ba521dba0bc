import WidgetContract
import WidgetTime
import WidgetWorker

/// `list`: what is stored of all widgets, or of those that are asked for.
enum ListCommand: Command {
    static let name = "list"
    static let summary = "show the stored widgets"
    static let options = Option.list
    static let examples = [
        "widgetd list --stale", "widgetd list --account acme --template progress",
        "widgetd list --pending --admin 127.0.0.1:9090", "widgetd list --json | jq -r '.[].slug'",
    ]

    static func run(_ values: OptionValues) throws -> ProgramError.Status {
        guard values.operands.isEmpty else {
            throw ProgramError.usage(
                "list takes options alone, and found \"\(values.operands[0])\"; `widgetd get` shows one widget")
        }
        let now = WorkerClock.system.now().milliseconds
        let filter = try WidgetFilter(values, now: now)
        let widgets = try StoredWidgets(values)
        if values.isSet("json") {
            try writeArray(of: widgets, filter)
            return .done
        }
        var list = WidgetList(now: now)
        try widgets.visit(filter) { list.add($0) }
        guard list.count > 0 else {
            try Terminal.errors.write(line: "there is no widget\(filter.description) \(widgets.place)")
            return .done
        }
        try list.write(to: .output)
        return .done
    }

    /// One array, a widget a line, written as it is read.
    private static func writeArray(of widgets: StoredWidgets, _ filter: WidgetFilter) throws {
        var text = Array("[".utf8)
        var separator = "\n"
        try widgets.visit(filter) { entry in
            text += Array(separator.utf8)
            separator = ",\n"
            entry.writeJSON(to: &text)
            if text.count > 1 << 16 {
                try Terminal.output.write(String(decoding: text, as: UTF8.self))
                text.removeAll(keepingCapacity: true)
            }
        }
        try Terminal.output.write(String(decoding: text, as: UTF8.self) + (separator == "\n" ? "]\n" : "\n]\n"))
    }
}
