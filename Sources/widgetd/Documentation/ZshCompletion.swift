/// Completion for zsh, by `_arguments`.
enum ZshCompletion {
    static func script() -> String {
        let commands = Program.commands.map { "        \(quoted($0.name + ":" + $0.summary))" }
        return """
            #compdef widgetd
            # Completion of widgetd for zsh: put it as _widgetd into a folder of $fpath.
            _widgetd() {
                local -a commands=(
            \(commands.joined(separator: "\n"))
                    'help:show how a command is used'
                )
                if ((CURRENT == 2)); then
                    _describe command commands
                    return
                fi
                local command=$words[2]
                shift words
                ((CURRENT--))
                case $command in
                help) _describe command commands ;;
            \(Program.commands.map(arguments).joined(separator: "\n"))
                esac
            }
            if [[ $funcstack[1] == _widgetd ]]; then _widgetd "$@"; else compdef _widgetd widgetd; fi
            """
    }

    private static func arguments(_ command: any Command.Type) -> String {
        var lines = ["    \(command.name))", "        _arguments \\"]
        for option in command.allOptions { lines.append("            \(quoted(specification(option))) \\") }
        let operands = command.operands.isEmpty ? "" : "*:\(command.operands):\(action(command.operandKind))"
        if operands.isEmpty {
            lines[lines.count - 1].removeLast(2)
        } else {
            lines.append("            \(quoted(operands))")
        }
        return (lines + ["        ;;"]).joined(separator: "\n")
    }

    /// `--name=[explanation]:argument:action`
    private static func specification(_ option: Option) -> String {
        let explanation = "[\(escaped(option.help))]"
        guard let argument = option.argument else { return "--\(option.name)\(explanation)" }
        return "--\(option.name)=\(explanation):\(escaped(argument)):\(action(option.kind))"
    }

    private static func action(_ kind: OptionKind) -> String {
        switch kind {
        case .file: "_files"
        case .folder: "_files -/"
        case .words(let words): "(\(words.joined(separator: " ")))"
        case .toggle, .text, .wholeNumber, .checked: " "
        }
    }

    /// A colon and brackets divide a specification.
    private static func escaped(_ text: String) -> String {
        text.map { ":[]".contains($0) ? "\\\($0)" : String($0) }.joined()
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}
