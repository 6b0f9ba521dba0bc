import WidgetJSON
import WidgetTime

/// Holds a widget's document against the rule tables: one walk over its nodes, every violation collected.
///
/// Nothing is allocated as long as nothing is wrong; one validator serves one widget after the other.
struct Validator {
    /// What the walk saw of the content, beyond what is wrong with it.
    struct Findings {
        var template: Template?
        /// The content's position; 0 when there is none that is an object.
        var contentObject = 0
        /// Positions of the content's members by their place in the rule table; 0 for an absent one.
        private var content = InlineArray<32, UInt32>(repeating: 0)
        /// A device build of at least 1.6 is needed.
        var needsNewBuild = false

        /// Where the content has the member at a place in the rule table.
        func content(_ place: Int) -> Int? {
            let position = content[place]
            return position == 0 ? nil : Int(position)
        }

        mutating func noteContent(_ place: Int, at position: Int) {
            content[place] = UInt32(truncatingIfNeeded: position)
        }
    }

    var violations: [Violation] = []
    var findings = Findings()
    var now = Timestamp(seconds: 0)
    var path = CheckPath()

    /// Judges a whole widget.
    mutating func validate(_ document: DocumentView, now: Timestamp) {
        if !violations.isEmpty { violations.removeAll() }
        path.clear()
        findings = Findings()
        self.now = now
        check(document, 0, .object(.widget))
        if findings.contentObject != 0 { checkContent(document, findings.contentObject) }
        if violations.count > 1 { violations.sort { $0.position < $1.position } }
    }

    // MARK: One value

    mutating func check(_ document: DocumentView, _ position: Int, _ rule: ValueRule) {
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
    mutating func checkedNumber(_ document: DocumentView, _ position: Int, _ rule: ValueRule) -> Double? {
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
        _ document: DocumentView, _ position: Int, _ list: WordList, emptyMeansAbsent: Bool
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
    mutating func checkDate(_ document: DocumentView, _ position: Int) -> Timestamp? {
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

    static func date(_ document: DocumentView, _ position: Int) -> Timestamp? {
        let node = document[position]
        guard node.kind == .string, !node.isEscaped else { return nil }
        return unsafe DateTimeText.read(Array(document.bytes(of: node))[...])
    }

    // MARK: Objects and arrays

    /// The bit of a stat row's `timer`.
    private static let rowTimer: UInt64 = Contract.object(.statRow).position(of: "timer").map { 1 << UInt64($0) } ?? 0

    mutating func checkObject(_ document: DocumentView, _ position: Int, _ name: ObjectName) {
        let rule = Contract.table(name)
        if name == .content { findings.contentObject = position }
        var seen: UInt64 = 0
        let end = document.end(of: position)
        var member = position + 1
        while member < end {
            let value = member + 1
            path.enter(member: member)
            if let index = rule.index.position(of: document[member], in: document) {
                let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: index)
                seen |= bit
                if name == .content { findings.noteContent(index, at: value) }
                let valueRule = rule[index]
                if case .word(let list) = valueRule, rule.required & bit != 0 {
                    checkWord(document, value, list, emptyMeansAbsent: false)
                } else {
                    check(document, value, valueRule)
                }
            } else {
                report(document, value, .unknownField, "is no member of \(name.inWords)", showsValue: false)
            }
            path.leave()
            member = document.end(of: value)
        }
        if rule.required & ~seen != 0 {
            for (index, member) in Contract.object(name).members.enumerated()
            where member.isRequired && seen & 1 << UInt64(index) == 0 {
                reportMissing(document, member.name, behind: end)
            }
        }
        switch name {
        case .action: checkAction(document, position)
        case .flow: checkFlow(document, position, isEmpty: seen & ~1 == 0)
        case .statRow: if seen & Self.rowTimer != 0 { findings.needsNewBuild = true }
        default: break
        }
    }

    mutating func checkArray(_ document: DocumentView, _ position: Int, _ name: ArrayName) {
        let rule = Contract.array(name)
        var count = 0
        var latest: Timestamp?
        var words: [Int] = []
        let end = document.end(of: position)
        var element = position + 1
        while element < end {
            path.enter(element: count)
            check(document, element, rule.element)
            if let member = rule.rising, let value = document.member(named: member, of: element),
                let date = Self.date(document, value)
            {
                if let latest, date <= latest {
                    report(document, value, .order, "must be later than the one before", in: member)
                }
                latest = date
            }
            if let member = rule.distinct, let value = document.member(named: member, of: element),
                let word = TextCheck.index(of: document, value, in: .sortField)
            {
                if words.contains(word) { report(document, value, .duplicate, "stands twice", in: member) }
                words.append(word)
            }
            path.leave()
            element = document.end(of: element)
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
    mutating func checkFlow(_ document: DocumentView, _ position: Int, isEmpty: Bool) {
        guard isEmpty else { return }
        if let inputs = document.member("inputs", of: position),
            document[inputs].kind != .array || document[inputs].extent > 1
        {
            return
        }
        report(document, position, .required, "must set at least one of inputs, output, storage, exchange")
    }
}
