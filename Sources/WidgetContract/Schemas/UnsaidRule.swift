import WidgetJSON

/// A rule that no schema can say; it is listed beside the schema, in `x-rules`.
struct UnsaidRule {
    let word: RuleWord
    /// For people.
    let says: String
    /// Pointers in which `*` stands for any position or name.
    var locations: [JSONPointer]

    init(_ word: RuleWord, _ says: String, at locations: [JSONPointer]) {
        self.word = word
        self.says = says
        self.locations = locations
    }

    var schema: SchemaValue {
        ["rule": .string(word.rawValue), "says": .string(says), "locations": .strings(locations.map(\.description))]
    }

    /// How readers of a schema learn what the list is.
    static let explanation =
        "x-rules lists what a schema cannot say; * in a location stands for any position or name."
}

extension [UnsaidRule] {
    /// Rules that say the same are one, at all of their locations.
    var gathered: [UnsaidRule] {
        reduce(into: []) { result, rule in
            if let index = result.firstIndex(where: { $0.word == rule.word && $0.says == rule.says }) {
                result[index].locations += rule.locations
            } else {
                result.append(rule)
            }
        }
    }
}
