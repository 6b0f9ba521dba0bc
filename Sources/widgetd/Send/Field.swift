import WidgetContract
import WidgetJSON

/// A field of a widget as the command line names it: `value`, `push_throttle`, `url_action.url`, `stat_rows.0.label`.
struct Field {
    enum Step: Hashable {
        case member(String)
        case element(Int)
    }

    /// From the body's root.
    let steps: [Step]
    /// What the contract wants there.
    let rule: ValueRule

    /// Finds a field by the contract's tables: a member of the widget, else of its content.
    /// - Throws: `ProgramError` for a name that they do not have.
    init(_ name: String) throws {
        let words = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let outside = Contract.object(.widget).members
        var isOutside = outside.contains { $0.name == words[0] }
        if !isOutside, Contract.object(.content).position(of: words[0]) == nil {
            let known = (outside + Contract.object(.content).members).map(\.name)
            throw ProgramError.usage(
                "\(words[0].printable) is no field of a widget" + Suggestion.question(words[0], in: known))
        }
        var steps: [Step] = isOutside ? [] : [.member("content")]
        var rule = ValueRule.object(isOutside ? .widget : .content)
        isOutside = false
        for (index, word) in words.enumerated() {
            if case .headers = rule {
                // Their names may hold dots.
                steps.append(.member(words[index...].joined(separator: ".")))
                self.init(steps, .text(longest: .max))
                return
            }
            let holder = words[..<index].joined(separator: ".").printable
            let (step, next) = try Self.step(word, in: rule, holder)
            steps.append(step)
            rule = next
        }
        self.init(steps, rule)
    }

    private init(_ steps: [Step], _ rule: ValueRule) {
        self.steps = steps
        self.rule = rule
    }

    private static func step(_ word: String, in rule: ValueRule, _ holder: String) throws -> (Step, ValueRule) {
        switch rule {
        case .object(let object):
            let members = Contract.object(object).members
            guard let member = members.first(where: { $0.name == word }) else {
                throw ProgramError.usage(
                    "\(word.printable) is no field of \(holder)" + Suggestion.question(word, in: members.map(\.name)))
            }
            return (.member(word), member.rule)
        case .array(let array):
            let most = Contract.array(array).most
            guard let index = Int(word), (0..<most).contains(index) else {
                throw ProgramError.usage(
                    "\(holder) has elements 0 to \(most - 1), and \"\(word.printable)\" is none of them")
            }
            return (.element(index), Contract.array(array).element)
        default: throw ProgramError.usage("\(holder) has no fields, and \(holder).\(word.printable) asks for one")
        }
    }

    var location: JSONPointer {
        steps.reduce(.root) { pointer, step in
            switch step {
            case .member(let name): pointer.appending(name)
            case .element(let index): pointer.appending(index)
            }
        }
    }
}
