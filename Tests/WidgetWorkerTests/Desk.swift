import Testing
import WidgetContract
import WidgetJSON
import WidgetTestSupport

@testable import WidgetWorker

/// A batch decider over a memory store: messages in, what became of them out. Its clock stands still until it is moved.
final class Desk {
    let store = MemoryStore()
    let limits: MessageLimits
    var clock = Vector.clock
    private(set) var changes = StoreChanges(now: 0)
    private var decider: BatchDecider

    init(_ limits: MessageLimits = MessageLimits()) {
        self.limits = limits
        decider = BatchDecider(
            limits: limits, cachedWidgets: 4, pushes: PushSchedule(throttleSeconds: 0),
            random: SeededRandom(seed: 1))
        decider.begin(queue: 0, remembered: [])
    }

    /// What an earlier process left is all that is known.
    func restart() {
        decider = BatchDecider(
            limits: limits, cachedWidgets: 4, pushes: PushSchedule(throttleSeconds: 0),
            random: SeededRandom(seed: 2))
        decider.begin(queue: 0, remembered: store.rememberedDeliveries())
    }

    /// Deliveries come from a new connection.
    func reconnect() {
        decider.connectionChanged()
    }

    /// Decides a batch and stores it.
    func decide(_ messages: [Message], redelivered: Bool = false) throws -> [Fate] {
        var fates: [Fate] = []
        let now = Trial.moment(clock)
        changes = try decider.decide(
            messages.map { Delivery($0, redelivered: redelivered) }, now: { _ in now }, store: store,
            each: { message, verdict, widget, outcomes in
                var own = OutcomeBatch()
                OutcomeWriter.write(verdict, of: message, widget, to: &own)
                OutcomeWriter.write(verdict, of: message, widget, to: &outcomes)
                fates.append(Fate(verdict: verdict, widget: widget, outcomes: own))
            })
        _ = store.commit(changes)
        return fates
    }

    /// Decides one message.
    @discardableResult
    func send(_ message: Message, redelivered: Bool = false) throws -> Fate {
        try #require(try decide([message], redelivered: redelivered).first)
    }

    /// The stored document of a widget.
    func document(_ slug: String = "pages", account: String = "acme") -> String? {
        stored(slug, account: account)?.document.map { String(decoding: $0, as: UTF8.self) }
    }

    func stored(_ slug: String = "pages", account: String = "acme") -> StoredWidget? {
        store.load([WidgetAddress(account: account, slug: slug)])[0]
    }
}

/// What became of a message.
struct Fate {
    let verdict: Verdict
    /// As it stood after the message.
    let widget: Widget?
    let outcomes: OutcomeBatch

    /// `accepted`, the code of a rejection, `duplicate`, or `decided before`.
    var word: String {
        switch verdict.answer {
        case .decided(.accepted): "accepted"
        case .decided(.rejected(let rejection)): rejection.code.rawValue
        case .repeated: "duplicate"
        case .decidedBefore: "decided before"
        }
    }

    var faults: [String] {
        guard case .decided(.rejected(let rejection)) = verdict.answer else { return [] }
        return rejection.faults
    }

    /// The widget after a message that was accepted.
    var acceptedWidget: Widget? {
        guard case .decided(.accepted) = verdict.answer else { return nil }
        return widget
    }

    /// The outcomes to a destination.
    func sent(_ destination: OutcomeDestination) -> [Sent] {
        var sent: [Sent] = []
        func keep(_ outcome: Outcome) {
            if outcome.destination == destination { sent.append(Sent(outcome: outcome)) }
        }
        outcomes.visit(keep)
        return sent
    }

    /// The one outcome to a destination; none or more are an issue.
    func only(_ destination: OutcomeDestination, sourceLocation: SourceLocation = #_sourceLocation) throws -> Sent {
        let sent = sent(destination)
        #expect(sent.count == 1, sourceLocation: sourceLocation)
        return try #require(sent.first, sourceLocation: sourceLocation)
    }
}

/// An outcome as it is published.
struct Sent {
    let outcome: Outcome

    subscript(text: OutcomeText) -> String? {
        outcome[text].map { String(decoding: $0, as: UTF8.self) }
    }

    var body: String { String(decoding: outcome.body, as: UTF8.self) }

    func document() throws -> Document { try Document(json: body) }

    /// The text of the value at a pointer into the body.
    func value(_ pointer: String) throws -> String? {
        let document = try document()
        return JSONPointer(pointer)?.resolve(in: document).map {
            String(decoding: document.textOfValue(at: $0), as: UTF8.self)
        }
    }

    /// The bytes of `original.body_base64`.
    func original() throws -> [UInt8]? {
        let document = try document()
        guard let position = JSONPointer("/original/body_base64")?.resolve(in: document) else { return nil }
        return document.string(at: position).flatMap(Base64.decode)
    }
}

extension Message {
    /// A create of `acme.pages` that is accepted.
    static func create(_ content: String = #"{"template":"value"}"#, key: String = "acme.pages", id: String? = nil)
        -> Message
    {
        .sample(#"{"name":"n","content":\#(content)}"#, key: key, type: "widget.create", id: id)
    }

    /// A deletion.
    static func delete(key: String = "acme.pages", id: String? = nil, replyTo: String? = nil) -> Message {
        .sample("", key: key, type: "widget.delete", id: id, replyTo: replyTo)
    }
}
