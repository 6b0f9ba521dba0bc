import WidgetJSON

/// The content as a whole: what its members and its template ask of each other.
extension Validator {
    mutating func checkContent(_ document: DocumentView, _ content: Int) {
        path.enter(member: content - 1)
        defer { path.leave() }
        let end = document.end(of: content)
        if let start = slot(.startDate), let finish = slot(.endDate),
            let from = Self.date(document, start), let until = Self.date(document, finish), from >= until
        {
            report(
                document, start, .order, "must be before end_date" + got(document, start), in: "start_date",
                involving: ["end_date"])
        }
        if slot(.subtitleTimer) != nil { findings.needsNewBuild = true }
        guard let templateValue = slot(.template),
            let index = TextCheck.index(of: document, templateValue, in: .template)
        else { return }
        let template = Template.allCases[index]
        findings.template = template
        checkTemplate(document, Contract.template(template), behind: end)
    }

    mutating func checkTemplate(_ document: DocumentView, _ rule: TemplateRule, behind end: Int) {
        let isWaived =
            !rule.waivingPositions.isEmpty && rule.waivingPositions.allSatisfy { findings.content($0) != nil }
        for (index, position) in rule.neededPositions.enumerated() where findings.content(position) == nil {
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
            guard let position = findings.content(member), document[position].kind == .array,
                document[position].extent == 1, case .array(let name) = Contract.table(.content)[member],
                Contract.array(name).fewestOnlyOn == rule.template
            else { continue }
            report(
                document, position, .minItems, "0 entries, at least \(Contract.array(name).fewest)",
                in: rule.needs[index], involving: ["template"])
        }
        checkBounds(document, rule)
    }

    mutating func checkBounds(_ document: DocumentView, _ rule: TemplateRule) {
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
    func percentageHint(_ document: DocumentView, _ value: Double) -> String {
        guard value > 1, value <= 100, let position = slot(.value) else { return "" }
        let text = document.textOfValue(at: position)
        return "; a percentage? send \(DecimalShift.hundredth(of: text[...]) ?? String(value / 100))"
    }

    func number(_ document: DocumentView, _ member: ContentMember) -> Double? {
        guard let position = slot(member), let number = document.number(at: position), number.isFinite else {
            return nil
        }
        return number
    }

    func slot(_ member: ContentMember) -> Int? {
        findings.content(member.rawValue)
    }
}
