import Glibc

/// The options of one call: from the command line, else the environment, else, if secret, a file of their own, else the
/// configuration file, else the standard value.
struct OptionValues: Sendable {
    /// A value and where it stands, as messages name it: `--prefetch`, `WIDGETD_PREFETCH`,
    /// `prefetch (widgetd.json5:3:13)`.
    struct Given: Sendable {
        let text: String
        let place: String
        /// Where in the configuration file.
        var entry: ConfigurationFile.Entry?
    }

    let options: [Option]
    /// What stands behind the options.
    let operands: [String]
    /// The file that `--config` names.
    let configuration: ConfigurationFile?
    private let given: [String: String]
    private let environment: @Sendable (String) -> String?

    /// - Throws: `ProgramError` for an option that is unknown, or lacks or has an argument against its nature, and for a
    ///   configuration file that cannot be read.
    init(
        _ arguments: [String], options: [Option], environment: @escaping @Sendable (String) -> String? = Self.process
    ) throws {
        let options = options + Option.common
        let parsed = try OptionParser.parse(arguments, options: options)
        self.options = options
        self.environment = environment
        given = parsed.values
        operands = parsed.operands
        configuration = try (given["config"] ?? environment("WIDGETD_CONFIG")).map {
            try ConfigurationFile(path: $0, known: Program.options)
        }
    }

    static let process: @Sendable (String) -> String? = { name in
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// What is wrong with the value of an option, to follow its name; `nil` when nothing is.
    /// - Throws: `ProgramError` when a secret's file cannot be read.
    func fault(of option: Option) throws -> (given: Given, message: String)? {
        guard let given = try given(option), let message = option.fault(in: given.text) else { return nil }
        return (given, message)
    }

    /// Whether anybody has said anything about the option.
    func isGiven(_ name: String) -> Bool { distance(name) < 3 }

    /// Whether an option is said nearer to the call than another: on the command line, in the environment, in the
    /// configuration file, nowhere.
    func isNearer(_ name: String, than other: String) -> Bool { distance(name) < distance(other) }

    private func distance(_ name: String) -> Int {
        if given[name] != nil { return 0 }
        if let option = option(name),
            environment(option.variable) != nil || SecretFile(of: option, environment: environment) != nil
        {
            return 1
        }
        return configuration?.entries[name] != nil ? 2 : 3
    }

    /// Why files that secrets are read from are open to others, a line each.
    func openSecrets() -> [String] {
        options.compactMap { option in
            guard given[option.name] == nil, environment(option.variable) == nil else { return nil }
            return SecretFile(of: option, environment: environment)?.exposure
        }
    }

    func isSet(_ name: String) -> Bool {
        if given[name] != nil { return true }
        guard let option = option(name) else { return false }
        let text = environment(option.variable) ?? configuration?.entries[name]?.text
        return text.map { OptionKind.yes.contains($0.lowercased()) } ?? false
    }

    /// - Throws: `ProgramError` when the value is not legal, or a secret's file cannot be read.
    func text(_ name: String) throws -> String? {
        guard let option = option(name), let given = try given(option) else { return nil }
        if let fault = try fault(of: option) { throw ProgramError.usage("\(fault.given.place) \(fault.message)") }
        return given.text
    }

    func required(_ name: String) throws -> String {
        guard let text = try text(name) else { throw ProgramError.usage("--\(name) is needed") }
        return text
    }

    func integer(_ name: String) throws -> Int {
        guard let number = try Int(required(name)) else {
            preconditionFailure("--\(name) is no option for whole numbers")
        }
        return number
    }

    func choice<Choice: RawRepresentable>(
        _ name: String, _ type: Choice.Type = Choice.self
    ) throws -> Choice where Choice.RawValue == String {
        guard let choice = try Choice(rawValue: required(name)) else {
            preconditionFailure("--\(name) is no option for words of \(type)")
        }
        return choice
    }

    private func option(_ name: String) -> Option? { options.first { $0.name == name } }

    private func given(_ option: Option) throws -> Given? {
        if let text = given[option.name] {
            return option.argument == nil ? nil : Given(text: text, place: "--\(option.name)")
        }
        if let text = environment(option.variable) { return Given(text: text, place: option.variable) }
        if let file = SecretFile(of: option, environment: environment) {
            return Given(text: try file.read(), place: file.path)
        }
        if let entry = configuration?.entries[option.name] {
            return Given(text: entry.text, place: "\(option.member) (\(entry.place))", entry: entry)
        }
        return option.standard.map { Given(text: $0, place: "--\(option.name)") }
    }
}
