import WidgetJSON

extension UnsaidRule {
    /// What a content asks as a whole, by its template and by none, beyond any schema.
    static func rules(
        of templates: [Template], at content: JSONPointer, _ form: SchemaForm
    ) -> [UnsaidRule] {
        let start = location(of: .startDate, in: content)
        let order = UnsaidRule(.order, "strictly before \(name(.endDate)) when both are set", at: [start])
        return [order] + templates.flatMap { rules(of: Contract.template($0), at: content, form) }
    }

    private static func rules(of rule: TemplateRule, at content: JSONPointer, _ form: SchemaForm) -> [UnsaidRule] {
        let template = "template \(rule.template.rawValue)"
        var rules: [UnsaidRule] = []
        if rule.ordersBounds {
            rules.append(
                UnsaidRule(
                    .order, "\(template): strictly below \(name(.maxValue)) when both are set",
                    at: [location(of: .minValue, in: content)]))
        }
        if rule.keepsValueInBounds {
            rules.append(
                UnsaidRule(
                    .range, "\(template): from \(name(.minValue)) to \(name(.maxValue))",
                    at: [location(of: .value, in: content)]))
        }
        return form.isWhole ? rules : rules + onceMerged(rule, template, at: content)
    }

    /// What a schema says of a whole content, and of a patch only where it names the template itself.
    private static func onceMerged(
        _ rule: TemplateRule, _ template: String, at content: JSONPointer
    ) -> [UnsaidRule] {
        var rules: [UnsaidRule] = []
        if !rule.needs.isEmpty {
            let waiver =
                rule.unlessAllOf.isEmpty ? "" : ", or \(rule.unlessAllOf.joined(separator: " and ")) instead"
            rules.append(
                UnsaidRule(
                    .required, "\(template) needs it when the patch is merged\(waiver)",
                    at: rule.needs.map(content.appending)))
        }
        if let range = rule.valueRange {
            let (low, high) = (Int(range.lowerBound), Int(range.upperBound))
            rules.append(
                UnsaidRule(.range, "\(template): from \(low) to \(high)", at: [location(of: .value, in: content)]))
        }
        for member in Contract.object(.content).members {
            guard case .array(let name) = member.rule, Contract.array(name).fewestOnlyOn == rule.template else {
                continue
            }
            rules.append(
                UnsaidRule(
                    .minItems, "\(template): at least \(Contract.array(name).fewest)",
                    at: [content.appending(member.name)]))
        }
        return rules
    }

    private static func name(_ member: ContentMember) -> String {
        Contract.object(.content).members[member.rawValue].name
    }

    private static func location(of member: ContentMember, in content: JSONPointer) -> JSONPointer {
        content.appending(name(member))
    }
}
