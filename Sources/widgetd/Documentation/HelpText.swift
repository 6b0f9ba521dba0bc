/// What `--help` prints.
enum HelpText {
    /// The column at which the explanation of an option begins.
    private static let column = 34

    static func overview() -> String {
        let width = Program.commands.map { $0.name.count }.max() ?? 0
        let lines = Program.commands.map { "  " + $0.name.padded(to: width + 2) + $0.summary }
        let examples = Program.commands.compactMap { $0.examples.first }
        return """
            usage: widgetd <command> [options]

            commands:
            \(lines.joined(separator: "\n"))

            `widgetd <command> --help` tells a command's options, `widgetd manual | man -l -` all of them.

            examples:
            \(examples.map { "  " + $0 }.joined(separator: "\n"))
            """
    }

    static func text(of command: any Command.Type) -> String {
        let operands = command.operands.isEmpty ? "" : " \(command.operands)"
        return """
            usage: widgetd \(command.name) [options]\(operands)

            \(command.summary)

            options:
            \(command.allOptions.map(line).joined(separator: "\n"))

            Every option is also an environment variable (--max-widgets is WIDGETD_MAX_WIDGETS) and a member of the
            file that --config names (max_widgets). An option beats the variable, which beats the file.

            examples:
            \(command.examples.map { "  " + $0 }.joined(separator: "\n"))
            """
    }

    private static func line(_ option: Option) -> String {
        let left = "  " + spelling(of: option)
        return (left.displayWidth + 2 > column ? left + "  " : left.padded(to: column)) + option.explanation
    }

    /// `--prefetch COUNT`
    static func spelling(of option: Option) -> String {
        "--\(option.name)" + (option.argument.map { " \($0)" } ?? "")
    }
}
