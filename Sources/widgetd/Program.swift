import Glibc

/// The program: finds the command that the first word names.
enum Program {
    private static let commands: [any Command.Type] = [RunCommand.self, ApplyCommand.self, SchemaCommand.self]

    static func run(_ arguments: [String]) throws -> ProgramError.Status {
        guard let name = arguments.first, !["--help", "-h", "help"].contains(name) else {
            TextFile.write(line: overview(), to: arguments.isEmpty ? STDERR_FILENO : STDOUT_FILENO)
            return arguments.isEmpty ? .usage : .done
        }
        guard let command = commands.first(where: { $0.name == name }) else {
            let names = commands.map { $0.name }
            let nearest =
                names.min { OptionParser.distance($0, name) < OptionParser.distance($1, name) } ?? ApplyCommand.name
            throw ProgramError.usage("\(name) is no command; did you mean \(nearest)?")
        }
        if arguments.contains("--help") {
            TextFile.write(line: command.helpText(), to: STDOUT_FILENO)
            return .done
        }
        return try command.run(OptionValues(Array(arguments.dropFirst()), options: command.options))
    }

    private static func overview() -> String {
        let lines = commands.map { $0.name + String(repeating: " ", count: 10 - $0.name.count) + $0.summary }
        return "usage: widgetd <command> [options]\n\ncommands:\n  " + lines.joined(separator: "\n  ")
            + "\n\n`widgetd <command> --help` tells a command's options.\n\nexample:\n  \(ApplyCommand.example)"
    }
}
