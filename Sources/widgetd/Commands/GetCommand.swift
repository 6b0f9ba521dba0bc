import WidgetContract
import WidgetTime
import WidgetWorker

/// `get`: what is stored of one widget.
enum GetCommand: Command {
    static let name = "get"
    static let summary = "show the stored state of one widget"
    static let operands = "[ACCOUNT/]SLUG"
    static let options = Option.reading + [Option.defaultAccount]
    static let examples = [
        "widgetd get acme/oncall-pages", "widgetd get acme/oncall-pages --store sqlite:/var/lib/widgetd.db --json",
    ]

    static func run(_ values: OptionValues) throws -> ProgramError.Status {
        let address = try address(values)
        let shown = "\(address.account)/\(address.slug)"
        let widgets = try StoredWidgets(values)
        guard let entry = try widgets.widget(at: address) else {
            throw ProgramError(
                status: .faults,
                message: "there is no widget \(shown) \(widgets.place); `widgetd list` shows those there are")
        }
        let now = WorkerClock.system.now().milliseconds
        let widget = entry.widget
        guard widget.document != nil else {
            throw ProgramError(
                status: .faults,
                message: "the widget \(shown) was deleted \(Age.text(from: widget.updatedAt, now: now)), as revision"
                    + " \(widget.revision)")
        }
        if values.isSet("json") {
            var text: [UInt8] = []
            entry.writeJSON(to: &text)
            try Terminal.output.write(line: String(decoding: text, as: UTF8.self))
        } else {
            try WidgetDetails(entry, now: now).write(to: .output)
        }
        return .done
    }

    private static func address(_ values: OptionValues) throws -> WidgetAddress {
        guard values.operands.count == 1 else {
            throw ProgramError.usage("get wants one widget as ACCOUNT/SLUG, and found \(values.operands.count)")
        }
        let words = values.operands[0].split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let account = try words.count == 2 ? words[0] : values.required("default-account")
        let slug = words.last ?? ""
        guard words.count <= 2, AddressPattern.account.matches(account), AddressPattern.slug.matches(slug) else {
            throw ProgramError.usage(
                "get wants a widget as ACCOUNT/SLUG, each of letters, digits, - and _, and found \"\(values.operands[0])\""
            )
        }
        return WidgetAddress(account: account, slug: slug)
    }
}
