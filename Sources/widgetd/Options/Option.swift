/// An option of the command line; each is also an environment variable and a member of the configuration file.
struct Option: Sendable {
    /// Without the dashes.
    let name: String
    /// What stands for its argument in the help; `nil` for a toggle.
    let argument: String?
    let help: String
    let kind: OptionKind
    /// What holds when neither the command line, the environment nor the configuration file says anything.
    let standard: String?
    /// The value may also come from a `SecretFile`, and is not shown.
    let isSecret: Bool

    /// `--default-throttle` is `WIDGETD_DEFAULT_THROTTLE`.
    var variable: String { "WIDGETD_" + member.uppercased() }

    /// Names the file that a secret is in: `WIDGETD_AMQP_URL_FILE`.
    var fileVariable: String { variable + "_FILE" }

    /// `--default-throttle` is `default_throttle`.
    var member: String { String(name.map { $0 == "-" ? "_" : $0 }) }

    /// For the help and the manual: what it is for, what holds without it, and where else it may come from.
    var explanation: String {
        help + (standard.map { " (\($0))" } ?? "") + (isSecret ? "; \(fileVariable) may name its file" : "")
    }

    /// What is wanted in place of `text`, to follow the option's name; `nil` when that is legal.
    func fault(in text: String) -> String? {
        guard let wanted = kind.fault(in: text) else { return nil }
        let found = isSecret ? "" : ", and is \"\(text)\""
        return wanted + found + Suggestion.question(text, in: kind.choices)
    }

    init(
        _ name: String, _ argument: String?, _ help: String, standard: String? = nil, isSecret: Bool = false,
        _ kind: OptionKind? = nil
    ) {
        self.name = name
        self.argument = argument
        self.help = help
        self.kind = kind ?? (argument == nil ? .toggle : .text)
        self.standard = standard
        self.isSecret = isSecret
    }

    /// One of some words.
    init(_ name: String, _ words: [String], _ help: String, standard: String? = nil) {
        self.init(name, words.joined(separator: "|"), help, standard: standard, .words(words))
    }
}
