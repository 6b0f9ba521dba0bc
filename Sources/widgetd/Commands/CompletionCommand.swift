/// `completion`: what a shell needs to complete commands, options and their values.
enum CompletionCommand: Command {
    private enum Shell: String, CaseIterable {
        case bash, zsh, fish
    }

    static let name = "completion"
    static let summary = "print the completion of this program for a shell"
    static let operands = "bash|zsh|fish"
    static let operandKind = OptionKind.words(Shell.allCases.map(\.rawValue))
    static let examples = [
        "source <(widgetd completion bash)",
        "widgetd completion fish > ~/.config/fish/completions/widgetd.fish",
    ]

    static func run(_ values: OptionValues) throws -> ProgramError.Status {
        guard values.operands.count == 1, let shell = Shell(rawValue: values.operands[0]) else {
            let found = values.operands.isEmpty ? "nothing" : "\"\(values.operands.joined(separator: " "))\""
            throw ProgramError.usage("completion wants bash, zsh or fish behind it, and found \(found)")
        }
        let script =
            switch shell {
            case .bash: BashCompletion.script()
            case .zsh: ZshCompletion.script()
            case .fish: FishCompletion.script()
            }
        try Terminal.output.write(line: script)
        return .done
    }
}
