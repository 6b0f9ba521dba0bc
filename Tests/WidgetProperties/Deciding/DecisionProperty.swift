import WidgetContract
import WidgetJSON
import WidgetJSONParsing
import WidgetTime
import WidgetWorker

/// Any messages have one verdict each, the same ones when they are decided again or one by one; what they leave is
/// legal and can be read again.
public struct DecisionProperty: InputProperty {
    static let clock = Timestamp(seconds: 1_796_040_000)

    private var judge = AcceptedJudge()
    private let reader = OutcomeJudge()

    public init() {}

    /// - Parameter input: a `MessageScript`.
    public mutating func check(_ input: [UInt8]) throws {
        let messages = MessageScript(input).messages
        guard !messages.isEmpty else { return }
        let whole = try Desk.decide(messages, batchSize: messages.count, cachedWidgets: 8)
        try hold(whole.fates.count == messages.count, "each message has one verdict", "\(whole.fates.count)")
        let again = try Desk.decide(messages, batchSize: messages.count, cachedWidgets: 8)
        try hold(whole == again, "the same messages on the same state have the same outcome")
        // What comes back after a lost connection is told by the whole of it, so it is not decided one by one.
        if !messages.contains(where: \.redelivered) {
            let stepwise = try Desk.decide(messages, batchSize: 1, cachedWidgets: 1)
            for (place, (one, other)) in zip(whole.fates, stepwise.fates).enumerated() {
                try hold(
                    one == other, "a batch decides as its messages alone do", "message \(place): \(one), not \(other)")
            }
            try hold(whole == stepwise, "a batch leaves what its messages alone do")
        }
        try checkFates(whole)
        try checkSecrecy(messages.map(\.message), whole.fates)
    }

    /// Goes along with the verdicts: what they say was stored is what is there in the end.
    private mutating func checkFates(_ result: Desk.Result) throws {
        var widgets: [WidgetAddress: Widget] = [:]
        for fate in result.fates {
            try reader.check(fate)
            guard case .decided(let decision) = fate.verdict.answer else { continue }
            switch decision {
            case .accepted(let accepted):
                guard let widget = fate.widget else {
                    throw BrokenProperty(description: "what was accepted made no widget: \(fate)")
                }
                try hold(
                    widget.revision == (widgets[widget.address]?.revision ?? 0) + 1, "revisions rise by one",
                    "\(widget.address): \(widget.revision)")
                widgets[widget.address] = widget
                try judge.check(accepted, widget)
            case .rejected(let rejection): try Self.check(rejection)
            }
            let live = Dictionary(grouping: widgets.values.filter { $0.document != nil }, by: \.address.account)
            try hold(live.values.allSatisfy { $0.count <= Desk.mostWidgets }, "an account has no more than it may")
            if case .rejected(let rejection) = decision, rejection.code == .limitExceeded {
                let count = live[fate.verdict.account ?? ""]?.count
                try hold(count == Desk.mostWidgets, "an account is full before it is refused", "\(count ?? 0)")
            }
        }
        for stored in result.widgets.compactMap(\.self) {
            let isLast =
                widgets[stored.address]?.revision == stored.revision
                && widgets[stored.address]?.document?.text == stored.document
            try hold(isLast, "what is stored is what was accepted last", "\(stored)")
        }
        try hold(result.widgets.count == widgets.count, "all that was accepted is stored")
    }

    private static func check(_ rejection: Rejection) throws {
        let locations = rejection.violations.map(\.location)
        try hold(
            locations.allSatisfy { JSONPointer($0.description) == $0 }, "a location is a pointer", "\(locations)")
        guard rejection.code == .contentInvalid || rejection.code == .widgetInvalid else { return }
        let isContentAlone = locations.allSatisfy { $0.tokens.first == "content" }
        try hold(!locations.isEmpty, "a widget is refused for its violations", rejection.detail)
        try hold(
            isContentAlone == (rejection.code == .contentInvalid), "the code says where violations are", "\(locations)")
    }

    /// Values of headers stay out of rejections and receipts.
    private func checkSecrecy(_ messages: [Message], _ fates: [Desk.Fate]) throws {
        let secret = "hush"
        guard messages.contains(where: { $0.body.firstRange(of: secret.utf8) != nil }),
            messages.allSatisfy({ HeaderSecret.keeps(secret, $0.body) })
        else { return }
        for fate in fates {
            try fate.outcomes.visit { outcome in
                let isHidden = outcome.destination == .accepted || outcome.whole.firstRange(of: secret.utf8) == nil
                try hold(isHidden, "the value of a header is not published", shown(outcome.body))
            }
        }
    }
}

/// Where a word stands in a body.
private enum HeaderSecret {
    /// The word stands nowhere but in values below a member `headers`; nothing can be said of what is no JSON.
    static func keeps(_ word: String, _ body: [UInt8]) -> Bool {
        guard body.firstRange(of: word.utf8) != nil else { return true }
        guard let document = try? DocumentReader().read(body) else { return false }
        return keeps(word, document, 0)
    }

    private static func keeps(_ word: String, _ document: Document, _ position: Int) -> Bool {
        switch document[position].kind {
        case .object:
            document.members(of: position).allSatisfy { name, value in
                document.textOfValue(at: name).firstRange(of: word.utf8) == nil
                    && (document.hasString(at: name, equalTo: "headers") && !namesHold(word, document, value)
                        || keeps(word, document, value))
            }
        case .array: document.elements(of: position).allSatisfy { keeps(word, document, $0) }
        default: document.textOfValue(at: position).firstRange(of: word.utf8) == nil
        }
    }

    /// Names of headers are no secrets, and are shown.
    private static func namesHold(_ word: String, _ document: Document, _ position: Int) -> Bool {
        switch document[position].kind {
        case .object:
            document.members(of: position).contains { name, value in
                document.textOfValue(at: name).firstRange(of: word.utf8) != nil || namesHold(word, document, value)
            }
        case .array: document.elements(of: position).contains { namesHold(word, document, $0) }
        default: false
        }
    }
}
