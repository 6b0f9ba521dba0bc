import WidgetJSON
import WidgetTime

/// Holds a widget's document against the rule tables: one walk over its nodes, every violation collected.
///
/// Nothing is allocated as long as nothing is wrong; one validator serves one widget after the other.
struct Validator {
    /// What the walk saw of the content, beyond what is wrong with it.
    struct Findings {
        var template: Template?
        /// Positions of the content's members by their place in the rule table; 0 for an absent one.
        var content: [Int]
        /// A device build of at least 1.6 is needed.
        var needsNewBuild = false
    }

    var violations: [Violation] = []
    var findings = Findings(content: Array(repeating: 0, count: Contract.object(.content).members.count))
    var now = Timestamp(seconds: 0)
    /// From the root to the value that is looked at: names and positions in `document`.
    var path: [PathStep] = []

    enum PathStep {
        case member(name: Int)
        case element(Int)
    }

    /// Judges a whole widget.
    mutating func validate(_ document: Document, now: Timestamp) {
        violations.removeAll(keepingCapacity: true)
        path.removeAll(keepingCapacity: true)
        findings.template = nil
        findings.needsNewBuild = false
        for index in findings.content.indices { findings.content[index] = 0 }
        self.now = now
        check(document, 0, .object(.widget))
        if let content = document.member("content"), document[content].kind == .object {
            checkContent(document, content)
        }
        if violations.count > 1 { violations.sort { $0.position < $1.position } }
    }

    // MARK: One value

    mutating func check(_ document: Document, _ position: Int, _ rule: ValueRule) {
        let node = document[position]
        switch rule {
        case .text(let longest, let isRequiredText):
            guard node.kind == .string else { return wrongType(document, position, rule) }
            if let count = TextCheck.codePoints(of: document, position, ifOver: longest) {
                report(document, position, .maxLength, "\(count) characters, at most \(longest)")
            }
            if isRequiredText && TextCheck.isBlank(document, position) {
                report(document, position, .notBlank, "must hold more than white space")
            }
        case .number(let lowest, let highest):
            guard let number = checkedNumber(document, position, rule) else { return }
            if number < lowest || number > highest {
                report(document, position, .range, Self.bounds(lowest, highest) + got(document, position))
            }
        case .wholeNumber(let lowest, let highest):
            guard let number = checkedNumber(document, position, rule) else { return }
            if number.rounded(.towardZero) != number {
                report(document, position, .type, "must be a whole number" + got(document, position))
            } else if number < Double(lowest) || number > Double(highest) {
                let bounds = Self.bounds(Double(lowest), Double(highest))
                report(document, position, .range, bounds + got(document, position))
            }
        case .boolean:
            if node.kind != .true && node.kind != .false { wrongType(document, position, rule) }
        case .date:
            guard node.kind == .string else { return wrongType(document, position, rule) }
            checkDate(document, position)
        case .color:
            guard node.kind == .string else { return wrongType(document, position, rule) }
            if node.length > 0 && !ColorCheck.isColor(document, position) {
                report(
                    document, position, .color,
                    "must be a colour's name (\(ColorCheck.names.joined(separator: " "))) or 6 or 8 hex digits"
                        + got(document, position))
            }
        case .word(let list):
            checkWord(document, position, list, emptyMeansAbsent: true)
        case .url(let longest):
            guard node.kind == .string else { return wrongType(document, position, rule) }
            checkURL(document, position, longest: longest)
        case .headers(let mostBytes):
            guard node.kind == .object else { return wrongType(document, position, rule) }
            checkHeaders(document, position, mostBytes: mostBytes)
        case .object(let name):
            guard node.kind == .object else { return wrongType(document, position, rule) }
            checkObject(document, position, name)
        case .array(let name):
            guard node.kind == .array else { return wrongType(document, position, rule) }
            checkArray(document, position, name)
        }
    }

    /// The number, when it is one and finite.
    mutating func checkedNumber(_ document: Document, _ position: Int, _ rule: ValueRule) -> Double? {
        guard document[position].kind == .number else {
            wrongType(document, position, rule)
            return nil
        }
        guard let number = document.number(at: position), number.isFinite else {
            report(document, position, .finite, "must be a number that a double can hold")
            return nil
        }
        return number
    }

    mutating func checkWord(
        _ document: Document, _ position: Int, _ list: WordList, emptyMeansAbsent: Bool
    ) {
        guard document[position].kind == .string else { return wrongType(document, position, .word(list)) }
        if emptyMeansAbsent && document[position].length == 0 { return }
        if TextCheck.index(of: document, position, in: list) == nil {
            report(
                document, position, .enum,
                "must be one of \(list.words.joined(separator: " "))" + got(document, position))
        }
    }

    /// The date, when it is one; it is held against the contract's bounds.
    @discardableResult
    mutating func checkDate(_ document: Document, _ position: Int) -> Timestamp? {
        guard let date = Self.date(document, position) else {
            report(
                document, position, .dateTime,
                "must be an RFC 3339 date-time with offset such as 2026-11-30T12:00:00Z" + got(document, position))
            return nil
        }
        if date <= ValueRule.dateFloor {
            report(document, position, .dateFloor, "must be after 2000-01-01T00:00:00Z" + got(document, position))
        }
        if date > now.advanced(bySeconds: ValueRule.dateHorizonSeconds) {
            report(document, position, .dateHorizon, "must be at most 366 days ahead" + got(document, position))
        }
        return date
    }

    static func date(_ document: Document, _ position: Int) -> Timestamp? {
        let node = document[position]
        guard node.kind == .string, !node.isEscaped else { return nil }
        return DateTimeText.read(document.text[node.start..<node.end])
    }

    // MARK: Objects and arrays

    mutating func checkObject(_ document: Document, _ position: Int, _ name: ObjectName) {
        let rule = Contract.object(name)
        var seen: UInt64 = 0
        let end = position + document[position].extent
        var member = position + 1
        while member < end {
            let value = member + 1
            path.append(.member(name: member))
            if let index = rule.index.position(of: member, in: document) {
                seen |= 1 << UInt64(index)
                if name == .content { findings.content[index] = value }
                if case .word(let list) = rule.rules[index], rule.required & 1 << UInt64(index) != 0 {
                    checkWord(document, value, list, emptyMeansAbsent: false)
                } else {
                    check(document, value, rule.rules[index])
                }
            } else {
                report(document, value, .unknownField, "is no member of \(name.inWords)", showsValue: false)
            }
            path.removeLast()
            member = value + document[value].extent
        }
        if rule.required & ~seen != 0 {
            for (index, member) in rule.members.enumerated() where member.isRequired && seen & 1 << UInt64(index) == 0 {
                reportMissing(document, member.name, behind: end)
            }
        }
        switch name {
        case .action: checkAction(document, position)
        case .flow: checkFlow(document, position, isEmpty: seen & ~1 == 0)
        default: break
        }
    }

    mutating func checkArray(_ document: Document, _ position: Int, _ name: ArrayName) {
        let rule = Contract.array(name)
        var count = 0
        var latest: Timestamp?
        var words: [Int] = []
        let end = position + document[position].extent
        var element = position + 1
        while element < end {
            path.append(.element(count))
            check(document, element, rule.element)
            if let member = rule.rising, let value = document.member(member, of: element),
                let date = Self.date(document, value)
            {
                if let latest, date <= latest {
                    report(document, value, .order, "must be later than the one before", in: member)
                }
                latest = date
            }
            if let member = rule.distinct, let value = document.member(member, of: element),
                let word = TextCheck.index(of: document, value, in: .sortField)
            {
                if words.contains(word) { report(document, value, .duplicate, "stands twice", in: member) }
                words.append(word)
            }
            path.removeLast()
            element += document[element].extent
            count += 1
        }
        if count > rule.most {
            report(document, position, .maxItems, "\(count) entries, at most \(rule.most)")
        }
        if count < rule.fewest && rule.fewestOnlyOn == nil {
            report(document, position, .minItems, "\(count) entries, at least \(rule.fewest)")
        }
    }

    /// An `inputs` that is empty sets no slot; `hasOtherSlots` is false when nothing else is set either.
    mutating func checkFlow(_ document: Document, _ position: Int, isEmpty: Bool) {
        guard isEmpty else { return }
        if let inputs = document.member("inputs", of: position),
            document[inputs].kind != .array || document[inputs].extent > 1
        {
            return
        }
        report(document, position, .required, "must set at least one of inputs, output, storage, exchange")
    }
}
