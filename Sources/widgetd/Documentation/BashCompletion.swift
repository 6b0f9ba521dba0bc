/// Completion for bash, by its programmable completion alone.
enum BashCompletion {
    static func script() -> String {
        let names = Program.commands.map { $0.name }
        return """
            # Completion of widgetd for bash: source <(widgetd completion bash)
            _widgetd() {
                local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
                COMPREPLY=()
                if ((COMP_CWORD == 1)); then
                    mapfile -t COMPREPLY < <(compgen -W "\(names.joined(separator: " ")) help" -- "$word")
                    return
                fi
                case $command:$before in
                help:help) mapfile -t COMPREPLY < <(compgen -W "\(names.joined(separator: " "))" -- "$word"); return ;;
            \(Program.commands.flatMap(values).joined(separator: "\n"))
                esac
                case $command:$word in
            \(Program.commands.map(options).joined(separator: "\n"))
            \(Program.commands.compactMap(operands).joined(separator: "\n"))
                esac
            }
            complete -F _widgetd widgetd
            """
    }

    /// What stands behind an option that takes something.
    private static func values(_ command: any Command.Type) -> [String] {
        command.allOptions.filter { $0.argument != nil }.map { option in
            "    \(command.name):--\(option.name)) \(reply(option.kind)); return ;;"
        }
    }

    private static func options(_ command: any Command.Type) -> String {
        let words = command.allOptions.map { "--\($0.name)" }.joined(separator: " ")
        return "    \(command.name):-*) mapfile -t COMPREPLY < <(compgen -W \"\(words)\" -- \"$word\") ;;"
    }

    private static func operands(_ command: any Command.Type) -> String? {
        guard !command.operands.isEmpty else { return nil }
        return "    \(command.name):*) \(reply(command.operandKind)) ;;"
    }

    private static func reply(_ kind: OptionKind) -> String {
        switch kind {
        case .file: "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$word\")"
        case .folder: "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- \"$word\")"
        case .words(let words):
            "mapfile -t COMPREPLY < <(compgen -W \"\(words.joined(separator: " "))\" -- \"$word\")"
        case .toggle, .text, .wholeNumber, .checked: ":"
        }
    }
}
