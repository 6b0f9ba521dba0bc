import Glibc

/// A command of the program.
protocol Command: Sendable {
    static var name: String { get }
    /// One line for the list of commands.
    static var summary: String { get }
    /// What stands behind the command in the help.
    static var operands: String { get }
    static var options: [Option] { get }
    static var example: String { get }

    /// Does the work.
    /// - Throws: `ProgramError`.
    static func run(_ values: OptionValues) throws -> ProgramError.Status
}

extension Command {
    static var operands: String { "" }

    static func helpText() -> String {
        var lines = ["usage: widgetd \(name) [options] \(operands)", "", summary, "", "options:"]
        for option in options + [.help] {
            let left = "  --\(option.name)" + (option.argument.map { " \($0)" } ?? "")
            let standard = option.standard.map { " (\($0.isEmpty ? "none" : $0))" } ?? ""
            lines.append(left + String(repeating: " ", count: max(2, 34 - left.count)) + option.help + standard)
        }
        lines += ["", "Every option is also an environment variable: --max-widgets is WIDGETD_MAX_WIDGETS.", ""]
        lines += ["example:", "  " + example]
        return lines.joined(separator: "\n")
    }
}
