/// Makes schemas of the tables' rules and gathers the definitions that they refer to.
struct SchemaBuilder {
    private var gathered: [String: SchemaValue] = [:]

    /// For `$defs`, in the order of their names.
    var definitions: SchemaValue {
        .members(gathered.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }

    /// A reference to the definition of that name, which is made when it is not there.
    private mutating func reference(_ name: String, _ make: (inout SchemaBuilder) -> SchemaValue) -> SchemaValue {
        if gathered[name] == nil {
            let definition = make(&self)
            gathered[name] = definition
        }
        return ["$ref": "#/$defs/\(name)"]
    }

    // MARK: Values

    /// The value of a member.
    mutating func member(_ member: MemberRule, _ form: SchemaForm) -> SchemaValue {
        let schema = value(member.rule, form, isRequired: member.isRequired)
        return form.allowsNull && !member.isRequired ? schema.orNull : schema
    }

    /// - Parameter isRequired: an optional word may be empty, which counts as absent.
    mutating func value(_ rule: ValueRule, _ form: SchemaForm, isRequired: Bool) -> SchemaValue {
        switch rule {
        case .text(let longest, let isRequiredText):
            var schema: SchemaValue = ["type": "string", "maxLength": .integer(longest)]
            if isRequiredText { schema["pattern"] = .string(SchemaPattern.notBlank) }
            return schema
        case .number(let lowest, let highest):
            var schema: SchemaValue = ["type": "number"]
            if lowest.isFinite { schema["minimum"] = .number(lowest) }
            if highest.isFinite { schema["maximum"] = .number(highest) }
            return schema
        case .wholeNumber(let lowest, let highest):
            return ["type": "integer", "minimum": .integer(lowest), "maximum": .integer(highest)]
        case .boolean: return ["type": "boolean"]
        case .date: return reference("date") { _ in Self.date }
        case .color: return reference("color") { _ in Self.color }
        case .word(let list): return Self.word(list, orEmpty: !isRequired)
        case .url(let longest): return Self.url(longest: longest)
        case .headers: return Self.headers(form)
        case .object(let name):
            return reference("\(name)\(form.suffix)") { $0.object(name, form) }
        case .array(let name): return array(name)
        }
    }

    private static let date = SchemaPattern.whole(SchemaPattern.dateTime).adding(["format": "date-time"])

    private static let color = SchemaPattern.whole(
        "|" + SchemaPattern.anyCase(ColorCheck.names) + "|#?(?:[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})")

    private static func word(_ list: WordList, orEmpty: Bool) -> SchemaValue {
        let words = list.words + (orEmpty ? [""] : [])
        if list.ignoresCase { return SchemaPattern.whole(SchemaPattern.anyCase(words)) }
        return ["type": "string", "enum": .strings(words)]
    }

    private static func url(longest: Int) -> SchemaValue {
        [
            "type": "string", "maxLength": .integer(longest),
            "pattern": .string(SchemaPattern.scheme), "not": ["pattern": .string(SchemaPattern.gap)],
            "if": ["pattern": .string(SchemaPattern.httpScheme)],
            "then": ["pattern": .string(SchemaPattern.httpHost)],
        ]
    }

    private static func headers(_ form: SchemaForm) -> SchemaValue {
        let value: SchemaValue = ["type": "string", "not": ["pattern": .string(SchemaPattern.noHeaderValue)]]
        return [
            "type": "object",
            "patternProperties": .members([
                ("^$", form.unknownMember), (SchemaPattern.noToken, form.unknownMember),
            ]),
            "additionalProperties": form.allowsNull ? value.orNull : value,
        ]
    }

    // MARK: Objects and arrays

    /// An object of the tables, in full.
    mutating func object(_ name: ObjectName, _ form: SchemaForm) -> SchemaValue {
        let members = Contract.object(name).members
        var schema: SchemaValue = [
            "title": .string(name.inWords), "type": "object",
            "properties": .members(members.map { ($0.name, member($0, form)) }),
        ]
        let required = members.filter(\.isRequired).map(\.name)
        if form.isWhole && !required.isEmpty { schema["required"] = .strings(required) }
        schema["additionalProperties"] = form.unknownMember
        if name == .flow && form.isWhole { schema["anyOf"] = Self.anySlot(of: members) }
        if name == .content { schema["allOf"] = .array(TemplateSchema.conditions(form)) }
        return schema
    }

    /// At least one member is set; an empty array sets nothing.
    private static func anySlot(of members: [MemberRule]) -> SchemaValue {
        .array(
            members.map { member in
                let value: SchemaValue =
                    if case .array = member.rule { ["type": "array", "minItems": 1] } else { SchemaForm.isNotNull }
                return ["required": [.string(member.name)], "properties": .members([(member.name, value)])]
            })
    }

    private mutating func array(_ name: ArrayName) -> SchemaValue {
        let rule = Contract.array(name)
        var schema: SchemaValue = ["type": "array", "items": value(rule.element, .stored, isRequired: true)]
        if rule.fewest > 0 && rule.fewestOnlyOn == nil { schema["minItems"] = .integer(rule.fewest) }
        schema["maxItems"] = .integer(rule.most)
        if let distinct = rule.distinct, case .object(let element) = rule.element {
            schema["allOf"] = .array(Self.words(of: distinct, element).map { Self.standsOnce(distinct, $0) })
        }
        return schema
    }

    private static func words(of member: String, _ object: ObjectName) -> [String] {
        let rule = Contract.object(object)
        guard let position = rule.position(of: member), case .word(let list) = rule.members[position].rule else {
            preconditionFailure("only members that are words can be told apart in a schema")
        }
        return list.words
    }

    private static func standsOnce(_ member: String, _ word: String) -> SchemaValue {
        let element: SchemaValue = [
            "required": [.string(member)], "properties": .members([(member, .constant(word))]),
        ]
        return ["contains": element, "minContains": 0, "maxContains": 1]
    }
}
