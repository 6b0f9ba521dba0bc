import WidgetJSON

/// Violations: where, and what was got.
extension Validator {
    mutating func wrongType(_ document: DocumentView, _ position: Int, _ rule: ValueRule) {
        report(
            document, position, .type, "must be \(rule.inWords), not \(document[position].kind.inWords)",
            showsValue: !rule.isSecret)
    }

    mutating func report(
        _ document: DocumentView, _ position: Int, _ rule: RuleWord, _ message: String, in member: String? = nil,
        involving others: [String] = [], showsValue: Bool = true
    ) {
        guard violations.count < Self.mostViolations else { return }
        let base = pointer(document)
        let isScalar = document[position].kind != .object && document[position].kind != .array
        let isShort = document[position].length <= Self.longestShownValue
        violations.append(
            Violation(
                member.map(base.appending) ?? base, rule, message,
                value: showsValue && isScalar && isShort ? document.textOfValue(at: position) : nil,
                involved: others.map(base.appending), position: position))
    }

    mutating func reportMissing(
        _ document: DocumentView, _ name: String, behind end: Int, _ reason: String = "",
        involving others: [String] = []
    ) {
        guard violations.count < Self.mostViolations else { return }
        let base = pointer(document)
        violations.append(
            Violation(
                base.appending(name), .required, reason.isEmpty ? "is missing" : "is missing: \(reason)",
                involved: others.map(base.appending), position: end))
    }

    static let longestShownValue = 256
    /// More are not listed: a rejection has to fit a message, and a body of empty objects breaks a rule in every byte.
    static let mostViolations = 1_000

    func pointer(_ document: DocumentView) -> JSONPointer {
        path.steps.reduce(.root) { pointer, step in
            switch step {
            case .member(let name): pointer.appending(document.string(at: name) ?? "")
            case .element(let index): pointer.appending(index)
            }
        }
    }

    /// ` (got 42)` for what is short enough to show.
    func got(_ document: DocumentView, _ position: Int, hint: String = "") -> String {
        let text = document.textOfValue(at: position)
        guard text.count <= 64 else { return hint.isEmpty ? "" : " (\(hint.dropFirst(2)))" }
        return " (got \(String(decoding: text, as: UTF8.self))\(hint))"
    }

    static func bounds(_ lowest: Double, _ highest: Double) -> String {
        func text(_ bound: Double) -> String { bound == bound.rounded() ? String(Int(bound)) : String(bound) }
        if highest == .infinity { return "must be at least \(text(lowest))" }
        if lowest == -.infinity { return "must be at most \(text(highest))" }
        return "must be between \(text(lowest)) and \(text(highest))"
    }
}
