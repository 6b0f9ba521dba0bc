/// The program: finds the command that the first word names.
enum Program {
    static let version = "0.1.0"

    static let commands: [any Command.Type] = [
        RunCommand.self, ApplyCommand.self, SendCommand.self, WatchCommand.self, GetCommand.self, ListCommand.self,
        RedriveCommand.self, MigrateCommand.self, CheckCommand.self, SchemaCommand.self, CompletionCommand.self,
        ManualCommand.self,
    ]

    /// The options of all commands, one of a name: what the configuration file may hold.
    static let options: [Option] = {
        var names: Set<String> = ["help", "config"]
        return commands.flatMap { $0.options }.filter { names.insert($0.name).inserted }
    }()

    static func run(_ arguments: [String]) throws -> ProgramError.Status {
        guard let name = arguments.first, !["--help", "-h", "help"].contains(name) else {
            if let about = arguments.dropFirst().first { return try help(command(about)) }
            try (arguments.isEmpty ? Terminal.errors : .output).write(line: HelpText.overview())
            return arguments.isEmpty ? .usage : .done
        }
        guard name != "--version" else {
            try Terminal.output.write(line: "widgetd \(version)")
            return .done
        }
        let command = try command(name)
        // Behind -- stand the words of another program.
        if arguments.prefix(while: { $0 != "--" }).contains("--help") { return try help(command) }
        let values = try OptionValues(Array(arguments.dropFirst()), options: command.options)
        if !command.judgesConfiguration, let fault = values.configuration?.faults.first {
            throw ProgramError.usage(fault.description)
        }
        return try command.run(values)
    }

    private static func help(_ command: any Command.Type) throws -> ProgramError.Status {
        try Terminal.output.write(line: HelpText.text(of: command))
        return .done
    }

    private static func command(_ name: String) throws -> any Command.Type {
        if let command = commands.first(where: { $0.name == name }) { return command }
        let kind = name.hasPrefix("-") ? "option before a command" : "command"
        let question = Suggestion.question(name, in: commands.map { $0.name })
        throw ProgramError.usage(
            "\(name) is no \(kind)"
                + (question.isEmpty ? "; they are \(commands.map { $0.name }.joined(separator: ", "))" : question))
    }
}
