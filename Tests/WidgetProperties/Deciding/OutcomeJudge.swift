import WidgetContract
import WidgetJSON
import WidgetJSONParsing
import WidgetTime
import WidgetWorker

/// Reads back what was written of a verdict.
struct OutcomeJudge {
    /// AMQP 0-9-1 section 4.2.5.3: a short string.
    private static let longestName = 255
    private let reader = DocumentReader()

    func check(_ fate: Desk.Fate) throws {
        try hold(fate.line.last == 0x0A, "a line ends")
        _ = try document(fate.line.dropLast())
        let stored = try OutcomeBatch(stored: fate.outcomes.bytes)
        try hold(stored == fate.outcomes, "outcomes are read back from their bytes")
        try stored.visit { outcome in
            let body = try document(outcome.body)
            for text in [OutcomeText.routingKey, .messageID, .account, .slug, .code] {
                let count = outcome[text]?.count ?? 0
                try hold(count <= Self.longestName, "\(text) fits its property", "\(count) bytes")
            }
            switch outcome.destination {
            case .accepted: try checkAccepted(outcome, body)
            case .rejected: try checkRejected(outcome, body)
            case .reply: try hold(body.member("outcome") != nil, "a receipt tells the outcome", shown(outcome.body))
            }
        }
    }

    /// Outcomes are written in the compact form that the reader makes of them.
    private func document(_ text: ArraySlice<UInt8>) throws -> Document {
        let document: Document
        do {
            document = try reader.read(Array(text), depth: 64)
        } catch {
            throw BrokenProperty(description: "an outcome is JSON: \(error), \(shown(text))")
        }
        try hold(document.text == Array(text), "an outcome is written compactly", shown(text))
        return document
    }

    private func checkAccepted(_ outcome: Outcome, _ body: Document) throws {
        let (account, slug) = (string("account", body), string("slug", body))
        let revision = outcome.revision.map(String.init) ?? ""
        let template = outcome[.template].map { String(decoding: $0, as: UTF8.self) } ?? "deleted"
        try hold(
            outcome[.routingKey]?.elementsEqual("\(account).\(slug).\(template)".utf8) == true
                && outcome[.messageID]?.elementsEqual("\(account)/\(slug)@\(revision)".utf8) == true
                && body.member("revision").map { body.textOfValue(at: $0).elementsEqual(revision.utf8) } == true,
            "an accepted outcome is addressed as its body says", shown(outcome.whole))
        for name in ["created_at", "updated_at"] where name == "updated_at" || template != "deleted" {
            let moment = DateTimeText.read(Array(string(name, body).utf8)[...])
            try hold(moment != nil, "\(name) is a date-time", shown(outcome.body))
        }
    }

    private func checkRejected(_ outcome: Outcome, _ body: Document) throws {
        let code = string("code", body)
        try hold(
            RejectionCode(rawValue: code) != nil && outcome[.code]?.elementsEqual(code.utf8) == true,
            "a rejection has a code of the protocol", code)
        try hold(!string("detail", body).isEmpty, "a rejection says why", shown(outcome.body))
        guard let errors = body.member("errors") else { return }
        for error in body.elements(of: errors) {
            let rule = body.member("rule", of: error).flatMap { body.string(at: $0) } ?? ""
            try hold(RuleWord(rawValue: rule) != nil, "a rule is one of the contract's words", rule)
        }
    }

    private func string(_ name: String, _ document: Document) -> String {
        document.member(name).flatMap { document.string(at: $0) } ?? ""
    }
}
