/// The manual page, in the macros of man(7).
enum ManualPage {
    static func text() -> String {
        var page: [String] = [
            #".\" Made by `widgetd manual` from the tables of options."#,
            #".TH WIDGETD 1 "" "widgetd" "User Commands""#,
        ]
        page += section("NAME") + [#"widgetd \- worker between RabbitMQ and phone widgets"#]
        page += section("SYNOPSIS") + [".B widgetd", ".I command", "[options]"]
        page += section("DESCRIPTION")
        page += paragraph(
            "Back ends report to widgets by messages on RabbitMQ. widgetd holds each one against a contract, merges it "
                + "into the widget's stored content, and publishes either the whole accepted content or every reason "
                + "against it.")
        page += section("COMMANDS") + Program.commands.flatMap(subsection)
        page += section("OPTIONS OF EVERY COMMAND") + Option.common.flatMap(entry)
        page += section("CONFIGURATION")
        page += paragraph(
            "Every option is also an environment variable, --default-throttle is WIDGETD_DEFAULT_THROTTLE, and a "
                + "member of the JSON5 file that --config or WIDGETD_CONFIG names. An option beats the variable, which "
                + "beats the file. A secret is also read from a file of one line: the one that its variable with _FILE "
                + "behind it names, such as WIDGETD_AMQP_URL_FILE, else systemd's credential of the option's name, such "
                + "as amqp-url. These files stand between the variable and the configuration. `run` reads them, and "
                + "the certificates that addresses name, again on SIGHUP.")
        page += example([
            "// /etc/widgetd.json5", "{", "  amqp_url: ['amqp://one.example', 'amqp://two.example'],",
            "  store: 'sqlite:/var/lib/widgetd/widgetd.db',", "  prefetch: 500,", "}",
        ])
        page += section("ENVIRONMENT")
        page += entry(".B NO_COLOR", "When it is set and not empty, nothing is written in colour.")
        page += entry(".B TERM", "Where it says dumb, nothing is drawn: no colour and no progress bar.")
        page += section("EXIT STATUS")
        for (status, meaning) in statuses { page += entry(".B \(status.rawValue)", meaning) }
        page += section("EXAMPLES") + Program.commands.flatMap { example($0.examples) }
        return page.joined(separator: "\n")
    }

    private static let statuses: [(ProgramError.Status, String)] = [
        (.done, "Done."),
        (.faults, "The work found faults: rejections under --strict, a failed check, no such widget."),
        (.usage, "Wrong usage or configuration."), (.unavailable, "A service that is needed is not there."),
    ]

    private static func subsection(_ command: any Command.Type) -> [String] {
        let operands = command.operands.isEmpty ? "" : " \(command.operands)"
        return [".SS \"widgetd \(escaped(command.name)) [options]\(escaped(operands))\""]
            + paragraph(command.summary + ".") + command.options.flatMap(entry)
    }

    private static func entry(_ option: Option) -> [String] {
        let argument = option.argument.map { " \\fI\(escaped($0))\\fR" } ?? ""
        return [".TP", "\\fB\(escaped("--" + option.name))\\fR\(argument)", escaped(option.explanation)]
    }

    private static func entry(_ head: String, _ text: String) -> [String] { [".TP", head, escaped(text)] }

    private static func section(_ name: String) -> [String] { [".SH \(name)"] }

    private static func paragraph(_ text: String) -> [String] { [".PP", escaped(text)] }

    /// As it stands, not filled.
    private static func example(_ lines: [String]) -> [String] {
        [".PP", ".RS", ".nf"] + lines.map(escaped) + [".fi", ".RE"]
    }

    /// Text that roff reads as it stands, in ASCII (groff_char(7)); `\-` is the dash that can be copied from the page.
    private static func escaped(_ text: String) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": out += #"\e"#
            case "-": out += #"\-"#
            case "\"": out += #"\(dq"#
            case "'": out += #"\(aq"#
            case "`": out += #"\(ga"#
            case "^": out += #"\(ha"#
            case "~": out += #"\(ti"#
            case _ where scalar.isASCII: out.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                out += "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
            }
        }
        return out.hasPrefix(".") ? #"\&"# + out : out
    }
}
