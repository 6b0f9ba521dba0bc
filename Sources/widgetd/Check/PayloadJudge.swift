import WidgetContract
import WidgetJSON
import WidgetJSONParsing
import WidgetTime
import WidgetWorker

/// Something wrong in a payload.
struct PayloadFinding {
    /// From the root of the file's object.
    let location: JSONPointer
    /// The member's name is what is wrong, not its value.
    let isName: Bool
    let message: String

    init(_ location: JSONPointer, isName: Bool = false, _ message: String) {
        self.location = location
        self.isName = isName
        self.message = message
    }
}

/// Decides messages as `apply` does, and tells what is wrong with each.
struct PayloadJudge {
    private let parser = DocumentReader()
    private let store = MemoryStore()
    private var decider: BatchDecider
    private var lone = Decider()

    init(limits: MessageLimits) {
        decider = BatchDecider(limits: limits, cachedWidgets: 100_000)
    }

    /// - Parameter body: where the message's body stands.
    mutating func findings(_ message: Message, at now: Timestamp, body: JSONPointer) throws -> [PayloadFinding] {
        var rejection: Rejection?
        let changes = try decider.decide(
            [Delivery(message)], now: { _ in now }, store: store,
            each: { _, verdict, _, _ in
                if case .decided(.rejected(let reasons)) = verdict.answer { rejection = reasons }
            })
        _ = store.commit(changes)
        guard var rejection else { return [] }
        if rejection.code == .notFound {
            guard let alone = judgedAlone(message, at: now) else { return [] }
            rejection = alone
        }
        guard !rejection.violations.isEmpty else {
            return [PayloadFinding(Self.location(of: rejection.code, body), rejection.detail)]
        }
        return rejection.violations.map { violation in
            let isName = violation.rule == .unknownField
            let name = violation.location.description
            return PayloadFinding(
                body + violation.location, isName: isName,
                "\(name.isEmpty ? "the body" : name) \(violation.phrase)"
                    + (isName ? Self.meant(violation.location) : ""))
        }
    }

    /// A patch or a deletion of a widget that is not known here: what is wrong with it whatever is stored. Members may
    /// be missing from a patch, not set to null where they are required.
    private mutating func judgedAlone(_ message: Message, at now: Timestamp) -> Rejection? {
        let bytes = message.body.isEmpty ? Array("{}".utf8) : message.body
        guard let body = try? parser.read(bytes) else { return nil }
        let address = WidgetAddress(account: "account", slug: "slug")
        let isDeletion = message.type == CommandKind.delete.rawValue
        var current: Widget?
        if isDeletion {
            current = Widget(
                address: address, revision: 1, sequence: nil, createdAt: 0, updatedAt: 0, document: Document())
        }
        let decision = lone.decide(
            current: &current,
            command: WidgetContract.Command(kind: isDeletion ? .delete : .create, address: address), body: body,
            now: now,
            accountIsFull: { false })
        guard case .rejected(var rejection) = decision else { return nil }
        rejection.violations.removeAll { $0.rule == .required && $0.location.resolve(in: body) == nil }
        return rejection.violations.isEmpty ? nil : rejection
    }

    /// Which member a code without violations is about.
    private static func location(of code: RejectionCode, _ body: JSONPointer) -> JSONPointer {
        switch code {
        case .typeUnknown: .root.appending("type")
        case .idConflict: .root.appending("message_id")
        case .sequenceStale: .root.appending("sequence")
        case .addressConflict: body.appending("slug")
        case .malformed, .tooLarge: body
        default: .root
        }
    }

    /// The known member of the same object that a name is nearest to.
    private static func meant(_ location: JSONPointer) -> String {
        let tokens = location.tokens
        let known = ChangedMembers.pointers.map(\.tokens) + [["content"], ["slug"]]
        let beside = known.filter { $0.dropLast() == tokens.dropLast() }.compactMap(\.last)
        return Suggestion.question(tokens.last ?? "", in: beside)
    }
}

extension JSONPointer {
    fileprivate static func + (left: JSONPointer, right: JSONPointer) -> JSONPointer {
        right.tokens.reduce(left) { $0.appending($1) }
    }
}
