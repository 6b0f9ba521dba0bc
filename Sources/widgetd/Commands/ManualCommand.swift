/// `manual`: the manual page, for man(1).
enum ManualCommand: Command {
    static let name = "manual"
    static let summary = "print the manual page"
    static let examples = ["widgetd manual | man -l -", "widgetd manual > /usr/local/share/man/man1/widgetd.1"]

    static func run(_ values: OptionValues) throws -> ProgramError.Status {
        guard values.operands.isEmpty else {
            throw ProgramError.usage("manual takes no words behind it, and found \"\(values.operands[0])\"")
        }
        try Terminal.output.write(line: ManualPage.text())
        return .done
    }
}
