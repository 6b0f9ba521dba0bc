import WidgetContract
import WidgetJSON
import WidgetPresentation

/// The contract's rule tables as JSON, from which forms are made.
///
/// | member | value |
/// | --- | --- |
/// | `templates` | `[{name, needs, unless_all_of, lowest_value?, highest_value?, new_build}]` |
/// | `objects` | `[{name, members: [{name, required, rule}]}]` |
/// | `arrays` | `[{name, fewest, most, rule}]`, the rule being of an element |
/// | `words` | `[{name, words}]` |
/// /// | `colors`, `families`, `builds` | strings |
/// | `slug`, `account` | regular expressions |
///
/// A rule is `{kind}` with `longest`, `lowest`, `highest`, `most_bytes`, or `of`: the name of the words, object or array that it refers to.
enum ContractText {
    static let bytes: [UInt8] = {
        var out: [UInt8] = []
        var json = JSONWriter()
        json.beginObject(&out)
        json.list("templates", Template.allCases.map(Contract.template), &out) { rule, json, out in
            json.text("name", rule.template.rawValue, &out)
            json.strings("needs", rule.needs, &out)
            json.strings("unless_all_of", rule.unlessAllOf, &out)
            if let range = rule.valueRange {
                json.number("lowest_value", range.lowerBound, &out)
                json.number("highest_value", range.upperBound, &out)
            }
            json.name("new_build", &out)
            json.boolean(rule.needsNewBuild, &out)
        }
        json.list("objects", ObjectName.allCases, &out) { name, json, out in
            json.text("name", "\(name)", &out)
            json.list("members", Contract.object(name).members, &out) { member, json, out in
                json.text("name", member.name, &out)
                json.name("required", &out)
                json.boolean(member.isRequired, &out)
                json.rule(member.rule, &out)
            }
        }
        json.list("arrays", ArrayName.allCases, &out) { name, json, out in
            let rule = Contract.array(name)
            json.text("name", "\(name)", &out)
            json.number("fewest", Double(rule.fewest), &out)
            json.number("most", Double(rule.most), &out)
            json.rule(rule.element, &out)
        }
        json.list("words", WordList.allCases, &out) { list, json, out in
            json.text("name", "\(list)", &out)
            json.strings("words", list.words, &out)
        }
        json.strings("colors", ColorName.allCases.map(\.rawValue), &out)
        json.strings("families", Family.allCases.map(\.rawValue), &out)
        json.strings("builds", DeviceBuild.allCases.map(\.rawValue), &out)
        json.text("slug", AddressPattern.slug.expression, &out)
        json.text("account", AddressPattern.account.expression, &out)
        json.endObject(&out)
        return out
    }()
}

extension JSONWriter {
    fileprivate mutating func text(_ name: StaticString, _ text: String, _ out: inout [UInt8]) {
        self.name(name, &out)
        string(text, &out)
    }

    /// Bounds that bound nothing are left away.
    fileprivate mutating func number(_ name: StaticString, _ number: Double, _ out: inout [UInt8]) {
        guard number.isFinite else { return }
        self.name(name, &out)
        self.number(number, &out)
    }

    fileprivate mutating func strings(_ name: StaticString, _ texts: [String], _ out: inout [UInt8]) {
        self.name(name, &out)
        beginArray(&out)
        for text in texts { string(text, &out) }
        endArray(&out)
    }

    /// An array of objects.
    fileprivate mutating func list<Element>(
        _ name: StaticString, _ elements: [Element], _ out: inout [UInt8],
        _ members: (Element, inout JSONWriter, inout [UInt8]) -> Void
    ) {
        self.name(name, &out)
        beginArray(&out)
        for element in elements {
            beginObject(&out)
            members(element, &self, &out)
            endObject(&out)
        }
        endArray(&out)
    }

    /// The members of a rule.
    fileprivate mutating func rule(_ rule: ValueRule, _ out: inout [UInt8]) {
        name("rule", &out)
        beginObject(&out)
        switch rule {
        case .text(let longest, _):
            text("kind", "text", &out)
            number("longest", Double(longest), &out)
        case .number(let lowest, let highest):
            text("kind", "number", &out)
            number("lowest", lowest, &out)
            number("highest", highest, &out)
        case .wholeNumber(let lowest, let highest):
            text("kind", "whole_number", &out)
            number("lowest", Double(lowest), &out)
            number("highest", Double(highest), &out)
        case .boolean: text("kind", "boolean", &out)
        case .date: text("kind", "date", &out)
        case .color: text("kind", "color", &out)
        case .word(let list):
            text("kind", "word", &out)
            text("of", "\(list)", &out)
        case .url(let longest):
            text("kind", "url", &out)
            number("longest", Double(longest), &out)
        case .headers(let most):
            text("kind", "headers", &out)
            number("most_bytes", Double(most), &out)
        case .object(let object):
            text("kind", "object", &out)
            text("of", "\(object)", &out)
        case .array(let array):
            text("kind", "array", &out)
            text("of", "\(array)", &out)
        }
        endObject(&out)
    }
}
