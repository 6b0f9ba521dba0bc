/// The options in a JSON5 file: an object with a member for each, named like the option with `_` for `-`.
struct ConfigurationFile: Sendable {
    /// A value as the command line would have it, and where it stands.
    struct Entry: Sendable {
        let text: String
        let source: SourceText
        let range: Range<Int>

        var place: String { TextFault(source: source, range: range, message: "").place }
    }

    let source: SourceText
    /// By the option's name.
    private(set) var entries: [String: Entry] = [:]
    /// What is wrong with it as a file of options; values are held against their options later.
    private(set) var faults: [TextFault] = []

    /// - Parameter known: the options of all commands: one file serves them all.
    /// - Throws: `ProgramError` when it cannot be read.
    init(path: String, known: [Option]) throws {
        guard let bytes = TextFile.read(path) else {
            throw ProgramError.usage("the configuration file \(path) cannot be read: \(TextFile.reason)")
        }
        source = SourceText(name: path, bytes: bytes)
        do {
            let value = try JSON5Reader.read(bytes)
            guard case .object(let members) = value.kind else {
                fault(at: value.range, "the configuration must be an object with a member for each option")
                return
            }
            for member in members { take(member, known) }
        } catch {
            fault(at: error.offset..<min(error.offset + 1, bytes.count), error.message)
        }
    }

    private mutating func take(_ member: JSON5Member, _ known: [Option]) {
        guard let option = known.first(where: { $0.member == member.name || $0.name == member.name }) else {
            return fault(
                at: member.nameRange,
                "\(member.name) is no option" + Suggestion.question(member.name, in: known.map(\.member)))
        }
        guard entries[option.name] == nil else {
            return fault(at: member.nameRange, "\(option.member) stands twice")
        }
        guard let text = Self.text(of: member.value, for: option) else {
            return fault(
                at: member.value.range,
                "\(option.member) must be " + (option.argument == nil ? "true or false" : "a string or a number"))
        }
        entries[option.name] = Entry(text: text, source: source, range: member.value.range)
    }

    private mutating func fault(at range: Range<Int>, _ message: String) {
        faults.append(TextFault(source: source, range: range, message: message))
    }

    private static func text(of value: JSON5Value, for option: Option) -> String? {
        switch value.kind {
        case .boolean(let flag): option.argument == nil ? "\(flag)" : nil
        case .string(let text): option.argument == nil ? nil : text
        case .number(let text): option.argument == nil ? nil : decimal(text)
        case .array(let elements): list(of: elements, for: option)
        case .null, .object: nil
        }
    }

    /// Elements as the command line has them, with commas; for options that take several, such as brokers.
    private static func list(of elements: [JSON5Value], for option: Option) -> String? {
        guard option.argument?.contains(",") == true, !elements.isEmpty else { return nil }
        let texts = elements.compactMap { text(of: $0, for: option) }
        return texts.count == elements.count ? texts.joined(separator: ",") : nil
    }

    /// A whole number in decimal digits, whatever JSON5 allows it to look like; any other as it is written.
    private static func decimal(_ text: String) -> String {
        let unsigned = text.hasPrefix("+") || text.hasPrefix("-") ? String(text.dropFirst()) : text
        let sign = text.hasPrefix("-") ? -1 : 1
        if unsigned.lowercased().hasPrefix("0x"), let number = Int(unsigned.dropFirst(2), radix: 16) {
            return String(sign * number)
        }
        guard let number = Double(text), let whole = Int(exactly: number) else { return text }
        return String(whole)
    }
}
