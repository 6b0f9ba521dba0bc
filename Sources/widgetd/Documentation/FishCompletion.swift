/// Completion for fish, by `complete`.
enum FishCompletion {
    static func script() -> String {
        let names = Program.commands.map { $0.name }.joined(separator: " ")
        let commands = Program.commands.map { command in
            "complete -c widgetd -n __fish_use_subcommand -a \(command.name) -d \(quoted(command.summary))"
        }
        return """
            # Completion of widgetd for fish: widgetd completion fish > ~/.config/fish/completions/widgetd.fish
            complete -c widgetd -f
            complete -c widgetd -n __fish_use_subcommand -a help -d 'show how a command is used'
            complete -c widgetd -n '__fish_seen_subcommand_from help' -a \(quoted(names))
            \(commands.joined(separator: "\n"))
            \(Program.commands.flatMap(lines).joined(separator: "\n"))
            """
    }

    private static func lines(_ command: any Command.Type) -> [String] {
        let start = "complete -c widgetd -n '__fish_seen_subcommand_from \(command.name)'"
        let options = command.allOptions.map { option in
            "\(start) -l \(option.name)\(argument(option)) -d \(quoted(option.help))"
        }
        switch command.operandKind {
        case .file where !command.operands.isEmpty: return options + ["\(start) -F"]
        case .words(let words): return options + ["\(start) -a \(quoted(words.joined(separator: " ")))"]
        default: return options
        }
    }

    private static func argument(_ option: Option) -> String {
        switch option.kind {
        case .toggle: ""
        case .file: " -r -F"
        case .folder: " -x -a '(__fish_complete_directories)'"
        case .words(let words): " -x -a \(quoted(words.joined(separator: " ")))"
        case .text, .wholeNumber, .checked: " -x"
        }
    }

    /// Within single quotes fish reads \\ and \'.
    private static func quoted(_ text: String) -> String {
        "'" + text.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "'"
    }
}
