/// What an option takes, and what is legal of it.
enum OptionKind: Sendable {
    /// No argument: it is there or not.
    case toggle
    case text
    /// A path.
    case file, folder
    case wholeNumber(ClosedRange<Int>)
    case words([String])
    /// A text with rules of its own: they give what is wanted, to follow the option's name, or `nil` for a legal one.
    case checked(@Sendable (String) -> String?)

    /// What a toggle may be in the environment and in the configuration file.
    static let yes = ["1", "true", "yes", "on"]
    static let no = ["", "0", "false", "no", "off"]

    /// A word for a toggle. One file and one environment serve all commands, and what is a toggle to one may take
    /// something of another.
    static func isToggle(_ text: String) -> Bool {
        yes.contains(text.lowercased()) || no.contains(text.lowercased())
    }

    /// What is wanted in place of `text`; `nil` when that is legal.
    func fault(in text: String) -> String? {
        switch self {
        case .text, .file, .folder: nil
        case .toggle: Self.isToggle(text) ? nil : "must be true or false"
        case .wholeNumber(let range):
            Int(text).map(range.contains) == true
                ? nil : "must be a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .words(let words): words.contains(text) ? nil : Self.choice(of: words)
        case .checked(let fault): fault(text)
        }
    }

    private static func choice(of words: [String]) -> String {
        words.count > 4
            ? "must be one of \(words.joined(separator: ", "))" : "must be \(words.joined(separator: " or "))"
    }

    /// The words to choose from; none where any text will do.
    var choices: [String] {
        guard case .words(let words) = self else { return [] }
        return words
    }
}
