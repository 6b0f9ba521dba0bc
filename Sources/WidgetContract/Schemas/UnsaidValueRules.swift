import WidgetJSON
import WidgetTime

extension UnsaidRule {
    /// What the rules of an object's members ask beyond any schema, at every depth.
    static func rules(of object: ObjectName, at location: JSONPointer, _ form: SchemaForm) -> [UnsaidRule] {
        var rules: [UnsaidRule] = []
        for member in Contract.object(object).members {
            rules += self.rules(of: member.rule, at: location.appending(member.name), form)
        }
        return rules + wholeObject(object, at: location, form)
    }

    private static func rules(of rule: ValueRule, at location: JSONPointer, _ form: SchemaForm) -> [UnsaidRule] {
        switch rule {
        case .number, .wholeNumber:
            [
                UnsaidRule(.finite, "a double holds the number", at: [location])
            ]
        case .date:
            [
                UnsaidRule(.dateFloor, "strictly after \(floor)", at: [location]),
                UnsaidRule(
                    .dateHorizon, "at most \(ValueRule.dateHorizonSeconds) seconds ahead of the clock", at: [location]),
            ]
        case .url:
            [
                UnsaidRule(
                    .urlScheme, "its scheme is none of \(ValueRule.forbiddenSchemes.joined(separator: ", "))",
                    at: [location])
            ]
        case .headers(let mostBytes):
            [UnsaidRule(.maxBytes, "names and values together have at most \(mostBytes) UTF-8 bytes", at: [location])]
        case .object(let name): rules(of: name, at: location, form)
        case .array(let name): rules(of: name, at: location)
        case .text, .boolean, .color, .word: []
        }
    }

    private static func rules(of array: ArrayName, at location: JSONPointer) -> [UnsaidRule] {
        let rule = Contract.array(array)
        let element = location.appending("*")
        var rules = rules(of: rule.element, at: element, .stored)
        if let rising = rule.rising {
            rules.append(
                UnsaidRule(.order, "each \(rising) is later than the one before", at: [element.appending(rising)]))
        }
        return rules
    }

    /// What members ask of each other.
    private static func wholeObject(
        _ name: ObjectName, at location: JSONPointer, _ form: SchemaForm
    ) -> [UnsaidRule] {
        var rules: [UnsaidRule] = []
        let ofRequests = Contract.object(name).members.filter(\.isForRequests)
        if !ofRequests.isEmpty {
            let schemes = ValueRule.requestSchemes.joined(separator: " and ")
            rules.append(
                UnsaidRule(
                    .httpOnly, "it stands beside \(schemes) URLs alone",
                    at: ofRequests.map { location.appending($0.name) }))
        }
        // A stored widget has its own required members already, and a patch cannot clear them.
        guard !form.isWhole, name != .widget, name != .content else { return rules }
        let required = Contract.object(name).members.filter(\.isRequired)
        if !required.isEmpty {
            rules.append(
                UnsaidRule(
                    .required, "it is there when the patch is merged", at: required.map { location.appending($0.name) })
            )
        }
        if name == .flow {
            rules.append(
                UnsaidRule(.required, "at least one slot is set when the patch is merged", at: [location]))
        }
        return rules
    }

    private static var floor: String {
        var text: [UInt8] = []
        DateTimeText.write(milliseconds: ValueRule.dateFloor.milliseconds, to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}
