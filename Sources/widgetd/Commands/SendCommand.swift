import WidgetContract
import WidgetJSON
import WidgetJSONParsing

/// `send`: one update published, and the worker's word on it shown.
enum SendCommand: Command {
    static let name = "send"
    static let summary = "publish an update of a widget, wait for the receipt, and show the widget or what is wrong"
    static let operands = "[ACCOUNT/]SLUG [FIELD=VALUE…]"
    static let options = Option.send
    static let examples = [
        "widgetd send oncall-pages value=0.6 subtitle='6 of 10 acked'",
        "widgetd send oncall-pages --create --name 'On-call pages' template=progress value=0 push_throttle=5",
        "widgetd send acme/oncall-pages url_action.url=https://example.com --clear subtitle,unit",
        "widgetd send oncall-pages points:='[1, 2, 3]' stat_rows.0.label=Open stat_rows.0.value=4",
        "widgetd send oncall-pages --json - <patch.json", "widgetd send oncall-pages --delete",
        "widgetd send deploy --run -- make -j4 install",
    ]

    static func run(_ values: OptionValues) throws -> ProgramError.Status {
        guard let word = values.operands.first else {
            throw ProgramError.usage("send wants a widget as [ACCOUNT/]SLUG, and found none")
        }
        let address = try address(word, values)
        let rest = Array(values.operands.dropFirst())
        if values.isSet("run") { return try RunReport(address, command: rest, values).run() }
        let kind = try kind(values)
        let body = try body(kind, rest, values)
        var sender = try UpdateSender(to: address, values)
        defer { sender.close() }
        let receipt = try sender.send(
            UpdateSender.Update(
                kind: kind, body: body.bytes, messageID: try values.text("message-id"),
                sequence: try values.text("sequence").flatMap { Int64($0) }))
        let report = SendReport(address)
        guard receipt.isAccepted else {
            try report.write(rejected: receipt, body: body)
            return .faults
        }
        try report.write(accepted: receipt)
        var widget = try receipt.revision.flatMap { revision in
            receipt.isDuplicate || receipt.changed == nil
                ? nil : try sender.widget(ofRevision: revision, waitingMilliseconds: grace)
        }
        if widget.map({ $0.member("content") == nil }) == true { widget = nil }
        try report.draw(receipt, widget: widget, kind: kind, body: body.bytes)
        return .done
    }

    /// For a fan-out that does not come before its receipt, milliseconds.
    private static let grace = 300

    private static func address(_ word: String, _ values: OptionValues) throws -> WidgetAddress {
        let words = word.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let account = try values.text("account") ?? values.required("default-account")
        let address = WidgetAddress(account: words.count == 2 ? words[0] : account, slug: words.last ?? "")
        guard words.count <= 2, address.isLegal else {
            throw ProgramError.usage(
                "send wants a widget as [ACCOUNT/]SLUG, each of letters, digits, - and _, and found \"\(word.printable)\""
            )
        }
        return address
    }

    private static func kind(_ values: OptionValues) throws -> CommandKind {
        switch (values.isSet("create"), values.isSet("delete")) {
        case (true, true): throw ProgramError.usage("--create and --delete exclude each other")
        case (true, false): .create
        case (false, true): .delete
        case (false, false): .patch
        }
    }

    private static func body(_ kind: CommandKind, _ words: [String], _ values: OptionValues) throws -> UpdateBody {
        // Names and cleared fields are fields as well.
        var words = words
        if let name = try values.text("name") { words.append("name=\(name)") }
        for field in try values.text("clear")?.split(separator: ",") ?? [] { words.append("\(field)=") }
        if kind == .delete, let word = words.first {
            throw ProgramError.usage("--delete takes no fields, and found \"\(word.printable)\"")
        }
        guard let path = try values.text("json"), !OptionKind.isToggle(path) else {
            return try UpdateBody(fields: words)
        }
        guard words.isEmpty else {
            throw ProgramError.usage("--json is the whole body, and \"\(words[0].printable)\" stands beside it")
        }
        return try UpdateBody(file: path)
    }
}
