import WidgetJSON

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

    private(set) var violations: [Violation] = []
    private(set) var findings = Findings(content: Array(repeating: 0, count: Contract.object(.content).members.count))
    private var now = Timestamp(seconds: 0)
    /// From the root to the value that is looked at: names and positions in `document`.
    private var path: [PathStep] = []

    private enum PathStep {
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

    private mutating func check(_ document: Document, _ position: Int, _ rule: ValueRule) {
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
    private mutating func checkedNumber(_ document: Document, _ position: Int, _ rule: ValueRule) -> Double? {
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

    private mutating func checkWord(
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
    private mutating func checkDate(_ document: Document, _ position: Int) -> Timestamp? {
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

    private mutating func checkObject(_ document: Document, _ position: Int, _ name: ObjectName) {
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

    private mutating func checkArray(_ document: Document, _ position: Int, _ name: ArrayName) {
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
    private mutating func checkFlow(_ document: Document, _ position: Int, isEmpty: Bool) {
        guard isEmpty else { return }
        if let inputs = document.member("inputs", of: position),
            document[inputs].kind != .array || document[inputs].extent > 1
        {
            return
        }
        report(document, position, .required, "must set at least one of inputs, output, storage, exchange")
    }

    // MARK: Actions

    private mutating func checkURL(_ document: Document, _ position: Int, longest: Int) {
        if let count = TextCheck.codePoints(of: document, position, ifOver: longest) {
            report(document, position, .maxLength, "\(count) characters, at most \(longest)", showsValue: false)
        }
        if TextCheck.isBlank(document, position) {
            return report(document, position, .notBlank, "must not be empty")
        }
        for (rule, message) in URLCheck.faults(document.string(at: position) ?? "") {
            report(document, position, rule, message + got(document, position))
        }
    }

    /// Values of headers are secrets: they never appear in a violation.
    private mutating func checkHeaders(_ document: Document, _ position: Int, mostBytes: Int) {
        var total = 0
        for (name, value) in document.members(of: position) {
            path.append(.member(name: name))
            let nameBytes = TextCheck.bytes(of: document, name)
            total += nameBytes.count
            if !HeaderCheck.isToken(nameBytes) {
                report(document, value, .header, "the name must be an HTTP token (RFC 9110)", showsValue: false)
            }
            if document[value].kind != .string {
                let found = document[value].kind.inWords
                report(document, value, .type, "must be a string, not \(found)", showsValue: false)
            } else {
                let bytes = TextCheck.bytes(of: document, value)
                total += bytes.count
                if !HeaderCheck.isValue(bytes) {
                    report(document, value, .header, "must hold no CR, LF or NUL", showsValue: false)
                }
            }
            path.removeLast()
        }
        if total > mostBytes {
            report(document, position, .maxBytes, "\(total) bytes of names and values, at most \(mostBytes)")
        }
    }

    private mutating func checkAction(_ document: Document, _ position: Int) {
        guard let url = document.member("url", of: position), let text = document.string(at: url),
            let scheme = URLCheck.scheme(of: text), !URLCheck.isHTTP(scheme)
        else { return }
        for member in ["method", "headers", "body"] {
            guard let value = document.member(member, of: position) else { continue }
            if member == "method" && document[value].kind == .string && document[value].length == 0 { continue }
            report(
                document, value, .httpOnly, "is for http and https URLs only, and this one is \(scheme)", in: member,
                showsValue: false)
        }
    }

    // MARK: The content as a whole

    private mutating func checkContent(_ document: Document, _ content: Int) {
        if let member = document.members(of: 0).first(where: { $0.value == content }) {
            path.append(.member(name: member.name))
        }
        defer { path.removeLast() }
        let end = content + document[content].extent
        if let start = slot(.startDate), let finish = slot(.endDate),
            let from = Self.date(document, start), let until = Self.date(document, finish), from >= until
        {
            report(
                document, start, .order, "must be before end_date" + got(document, start), in: "start_date",
                involving: ["end_date"])
        }
        if slot(.subtitleTimer) != nil { findings.needsNewBuild = true }
        if let rows = slot(.statRows), document[rows].kind == .array,
            document.elements(of: rows).contains(where: { document.member("timer", of: $0) != nil })
        {
            findings.needsNewBuild = true
        }
        guard let templateValue = slot(.template),
            let index = TextCheck.index(of: document, templateValue, in: .template)
        else { return }
        let template = Template.allCases[index]
        findings.template = template
        checkTemplate(document, Contract.template(template), behind: end)
    }

    private mutating func checkTemplate(_ document: Document, _ rule: TemplateRule, behind end: Int) {
        let isWaived =
            !rule.waivingPositions.isEmpty && rule.waivingPositions.allSatisfy { findings.content[$0] != 0 }
        for (index, position) in rule.neededPositions.enumerated() where findings.content[position] == 0 {
            if isWaived {
                findings.needsNewBuild = true
            } else {
                let waiver =
                    rule.unlessAllOf.isEmpty ? "" : ", or \(rule.unlessAllOf.joined(separator: " and ")) instead"
                reportMissing(
                    document, rule.needs[index], behind: end, "template \(rule.template.rawValue) needs it\(waiver)",
                    involving: ["template"] + rule.unlessAllOf)
            }
        }
        if rule.needsNewBuild { findings.needsNewBuild = true }
        for (index, member) in rule.neededPositions.enumerated() {
            let position = findings.content[member]
            guard position != 0, document[position].kind == .array, document[position].extent == 1,
                case .array(let name) = Contract.object(.content).rules[member],
                Contract.array(name).fewestOnlyOn == rule.template
            else { continue }
            report(
                document, position, .minItems, "0 entries, at least \(Contract.array(name).fewest)",
                in: rule.needs[index], involving: ["template"])
        }
        checkBounds(document, rule)
    }

    private mutating func checkBounds(_ document: Document, _ rule: TemplateRule) {
        let value = number(document, .value)
        if let range = rule.valueRange, let value, let position = slot(.value), !range.contains(value) {
            let bounds = Self.bounds(range.lowerBound, range.upperBound)
            report(
                document, position, .range, bounds + got(document, position, hint: percentageHint(document, value)),
                in: "value", involving: ["template"])
        }
        guard rule.ordersBounds, let low = number(document, .minValue), let high = number(document, .maxValue),
            let lowPosition = slot(.minValue)
        else { return }
        if low >= high {
            report(
                document, lowPosition, .order, "must be below max_value" + got(document, lowPosition), in: "min_value",
                involving: ["max_value", "template"])
        } else if rule.keepsValueInBounds, let value, value < low || value > high, let position = slot(.value) {
            report(
                document, position, .range, "must be from min_value to max_value" + got(document, position),
                in: "value", involving: ["min_value", "max_value", "template"])
        }
    }

    /// A fraction was wanted and the number looks like a percentage.
    private func percentageHint(_ document: Document, _ value: Double) -> String {
        guard value > 1, value <= 100, let position = slot(.value) else { return "" }
        let text = document.textOfValue(at: position)
        return "; a percentage? send \(DecimalShift.hundredth(of: text) ?? String(value / 100))"
    }

    private func number(_ document: Document, _ member: ContentMember) -> Double? {
        guard let position = slot(member), let number = document.number(at: position), number.isFinite else {
            return nil
        }
        return number
    }

    private func slot(_ member: ContentMember) -> Int? {
        let position = findings.content[member.rawValue]
        return position == 0 ? nil : position
    }

    // MARK: Reporting

    private mutating func wrongType(_ document: Document, _ position: Int, _ rule: ValueRule) {
        report(
            document, position, .type, "must be \(rule.inWords), not \(document[position].kind.inWords)",
            showsValue: !rule.isSecret)
    }

    private mutating func report(
        _ document: Document, _ position: Int, _ rule: RuleWord, _ message: String, in member: String? = nil,
        involving others: [String] = [], showsValue: Bool = true
    ) {
        guard violations.count < Self.mostViolations else { return }
        let base = pointer(document)
        let isScalar = document[position].kind != .object && document[position].kind != .array
        let isShort = document[position].length <= Self.longestShownValue
        violations.append(
            Violation(
                member.map(base.appending) ?? base, rule, message,
                value: showsValue && isScalar && isShort ? Array(document.textOfValue(at: position)) : nil,
                involved: others.map(base.appending), position: position))
    }

    private mutating func reportMissing(
        _ document: Document, _ name: String, behind end: Int, _ reason: String = "", involving others: [String] = []
    ) {
        guard violations.count < Self.mostViolations else { return }
        let base = pointer(document)
        violations.append(
            Violation(
                base.appending(name), .required, reason.isEmpty ? "is missing" : "is missing: \(reason)",
                involved: others.map(base.appending), position: end))
    }

    private static let longestShownValue = 256
    /// More are not listed: a rejection has to fit a message, and a body of empty objects breaks a rule in every byte.
    static let mostViolations = 1_000

    private func pointer(_ document: Document) -> JSONPointer {
        path.reduce(.root) { pointer, step in
            switch step {
            case .member(let name): pointer.appending(document.string(at: name) ?? "")
            case .element(let index): pointer.appending(index)
            }
        }
    }

    /// ` (got 42)` for what is short enough to show.
    private func got(_ document: Document, _ position: Int, hint: String = "") -> String {
        let text = document.textOfValue(at: position)
        guard text.count <= 64 else { return hint.isEmpty ? "" : " (\(hint.dropFirst(2)))" }
        return " (got \(String(decoding: text, as: UTF8.self))\(hint))"
    }

    private static func bounds(_ lowest: Double, _ highest: Double) -> String {
        func text(_ bound: Double) -> String { bound == bound.rounded() ? String(Int(bound)) : String(bound) }
        if highest == .infinity { return "must be at least \(text(lowest))" }
        if lowest == -.infinity { return "must be at most \(text(highest))" }
        return "must be between \(text(lowest)) and \(text(highest))"
    }
}
