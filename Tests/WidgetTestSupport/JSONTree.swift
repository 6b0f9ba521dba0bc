/// A JSON value as a plain tree, and merge patch on it word for word as RFC 7396 writes it: slow and simple, to hold
/// the product's documents against.
public indirect enum JSONTree: Sendable {
    case null
    case bool(Bool)
    /// Its text.
    case number(String)
    case string(String)
    case array([JSONTree])
    case object([(name: String, value: JSONTree)])

    /// Compact text; strings have the shortest escapes.
    public var text: String {
        switch self {
        case .null: "null"
        case .bool(let flag): flag ? "true" : "false"
        case .number(let text): text
        case .string(let text): Self.quoted(text)
        case .array(let elements): .array(elements.map(\.text))
        case .object(let members):
            "{\(members.map { "\(Self.quoted($0.name)):\($0.value.text)" }.joined(separator: ","))}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var out = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\u{8}": out += "\\b"
            case "\u{C}": out += "\\f"
            case "\n": out += "\\n"
            case "\r": out += "\\r"
            case "\t": out += "\\t"
            case "\u{0}"..<" ":
                let digits = String(scalar.value, radix: 16)
                out += "\\u" + "0" * (4 - digits.count) + digits
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out + "\""
    }

    /// `MergePatch(Target, Patch)` of RFC 7396 section 2.
    public func merged(with patch: JSONTree) -> JSONTree {
        guard case .object(let changes) = patch else { return patch }
        var members: [(name: String, value: JSONTree)] = []
        if case .object(let own) = self { members = own }
        for (name, value) in changes {
            let place = members.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
            if case .null = value {
                if let place { members.remove(at: place) }
            } else if let place {
                members[place].value = members[place].value.merged(with: value)
            } else {
                members.append((name, JSONTree.null.merged(with: value)))
            }
        }
        return .object(members)
    }

    /// A random value; objects are likely, names few, so that patches meet what is there.
    public static func random(_ random: inout SeededRandom, depth: Int = 4) -> JSONTree {
        switch random.below(depth > 0 ? 10 : 5) {
        case 0: .null
        case 1: .bool(random.oneIn(2))
        case 2, 3: .number(random.pick(numbers))
        case 4: .string(text(&random))
        case 5: .array((0..<random.below(4)).map { _ in .random(&random, depth: depth - 1) })
        default: object(&random, depth: depth - 1)
        }
    }

    public static func object(_ random: inout SeededRandom, depth: Int) -> JSONTree {
        var members: [(name: String, value: JSONTree)] = []
        for _ in 0..<random.below(6) {
            let name = random.pick(names)
            guard !members.contains(where: { $0.name.utf8.elementsEqual(name.utf8) }) else { continue }
            members.append((name, .random(&random, depth: depth)))
        }
        return .object(members)
    }

    private static func text(_ random: inout SeededRandom) -> String {
        (0..<random.below(5)).map { _ in random.pick(pieces) }.joined()
    }

    private static let names = [
        "a", "b", "c", "", "\u{E9}", "e\u{301}", "a/b", "m~n", "\"", "\n", "\u{1F600}", "value", "\u{1}",
    ]
    private static let numbers = [
        "0", "-0", "0.0", "0.10", "1E2", "100", "1e-400", "9007199254740993", "-1.5e+3", "12345678901234567890.5",
    ]
    private static let pieces = [
        "a", " ", "\\", "\"", "/", "\u{0}", "\u{1F}", "\n", "\t", "\u{7F}", "\u{E9}", "e\u{301}", "\u{1F600}",
        "\u{2028}", "\u{FFFF}", "{", "}", "[", ",", ":",
    ]
}
