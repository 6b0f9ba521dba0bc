/// On which side of the merge the values stand that a schema describes.
enum SchemaForm: Sendable {
    /// As they are stored and published, and in every array: a null is data.
    case stored
    /// As a create sends them: a null member counts as absent.
    case create
    /// As a patch sends them: null clears, and what is required may be left to what is stored.
    case patch

    /// Optional members may be null, and so may members that nobody knows.
    var allowsNull: Bool { self != .stored }

    /// What is required has to be there.
    var isWhole: Bool { self != .patch }

    /// Tells definitions of the same object apart.
    var suffix: String {
        switch self {
        case .stored: ""
        case .create: "OfCreate"
        case .patch: "OfPatch"
        }
    }

    /// The schema of a member that the contract does not know.
    var unknownMember: SchemaValue { allowsNull ? ["type": "null"] : false }

    /// The members are set: there, and not null. A patch can only promise not to clear them.
    func areSet(_ names: [String]) -> SchemaValue {
        var schema: SchemaValue = [:]
        if isWhole { schema["required"] = .strings(names) }
        if allowsNull { schema["properties"] = .members(names.map { ($0, SchemaForm.isNotNull) }) }
        return schema
    }

    static let isNotNull: SchemaValue = ["not": ["type": "null"]]
}

extension SchemaValue {
    /// The same, or null.
    var orNull: SchemaValue {
        // A bare "not" says something of null, too, and a reference stands best alone.
        guard let type = self["type"], self["not"] == nil else { return ["anyOf": [self, ["type": "null"]]] }
        var schema = self
        schema["type"] = [type, "null"]
        if case .array(let words) = self["enum"] { schema["enum"] = .array(words + [.null]) }
        return schema
    }
}
