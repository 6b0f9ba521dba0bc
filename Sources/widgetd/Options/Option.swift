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
    /// The value may also come from the file that `WIDGETD_…_FILE` names, and is not shown.
    let isSecret: Bool

    /// `--default-throttle` is `WIDGETD_DEFAULT_THROTTLE`.
    var variable: String { "WIDGETD_" + member.uppercased() }

    /// `--default-throttle` is `default_throttle`.
    var member: String { String(name.map { $0 == "-" ? "_" : $0 }) }

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
