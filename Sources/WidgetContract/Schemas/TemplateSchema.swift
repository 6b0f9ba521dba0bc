/// What templates ask of the content beyond the rules of each member.
enum TemplateSchema {
    /// For a content of any template: if it has this one, then that holds.
    static func conditions(_ form: SchemaForm) -> [SchemaValue] {
        Template.allCases.compactMap { template in
            let demands = demands(Contract.template(template), form)
            guard !demands.isEmpty else { return nil }
            return ["if": isTemplate(template), "then": demands]
        }
    }

    /// The content of one template, as it is stored.
    static func content(_ template: Template, _ builder: inout SchemaBuilder) -> SchemaValue {
        var schema = builder.object(.content, .stored)
        schema["title"] = "the content of template \(template.rawValue)"
        schema["properties"] = schema["properties"]?.adding(.members([(name, .constant(template.rawValue))]))
        let demands = demands(Contract.template(template), .stored)
        // An empty list is no schema.
        schema = schema.without("allOf")
        if !demands.isEmpty { schema["allOf"] = [demands] }
        return schema
    }

    private static let name = Contract.object(.content).members[ContentMember.template.rawValue].name

    private static func isTemplate(_ template: Template) -> SchemaValue {
        return [
            "properties": .members([(name, .constant(template.rawValue))]), "required": [.string(name)],
        ]
    }

    private static func demands(_ rule: TemplateRule, _ form: SchemaForm) -> SchemaValue {
        var schema: SchemaValue = [:]
        if rule.unlessAllOf.isEmpty {
            if !rule.needs.isEmpty { schema = form.areSet(rule.needs) }
        } else {
            schema["anyOf"] = [form.areSet(rule.needs), form.areSet(rule.unlessAllOf)]
        }
        var properties = schema["properties"] ?? [:]
        for (position, member) in Contract.object(.content).members.enumerated() {
            let bounds = bounds(of: member, at: position, rule)
            if !bounds.isEmpty { properties[member.name] = (properties[member.name] ?? [:]).adding(bounds) }
        }
        if !properties.isEmpty { schema["properties"] = properties }
        return schema
    }

    private static func bounds(of member: MemberRule, at position: Int, _ rule: TemplateRule) -> SchemaValue {
        var schema: SchemaValue = [:]
        if case .array(let name) = member.rule, Contract.array(name).fewestOnlyOn == rule.template {
            schema["minItems"] = .integer(Contract.array(name).fewest)
        }
        if position == ContentMember.value.rawValue, let range = rule.valueRange {
            schema["minimum"] = .number(range.lowerBound)
            schema["maximum"] = .number(range.upperBound)
        }
        return schema
    }
}
