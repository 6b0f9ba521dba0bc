public import WidgetContract
import WidgetJSON

/// What became of one message, with all that its outcome tells.
public struct Verdict: Sendable {
    public enum Answer: Sendable {
        case decided(Decision)
        /// The first outcome of a repeated id.
        case repeated(InboxEntry.Outcome)
        /// A redelivery of a message without an id, decided before: it has its outcome.
        case decidedBefore
    }

    public internal(set) var answer = Answer.decidedBefore
    /// Whether the widget is fanned out for this message, now or later.
    var push = PushSchedule.Action.none
    /// Of an accepted update: the widget's place in `StoreChanges.widgets`.
    var statePlace: Int?
    /// As far as the message tells.
    public let account: String?
    public let slug: String?
    /// The clock of the decision, milliseconds since 1970.
    public let decidedAt: Int64
    /// Of a rejection: the problem as JSON text, without the original.
    public private(set) var problem: [UInt8] = []
    /// Of a rejection: the original as JSON text.
    public private(set) var original: [UInt8] = []
    /// Of a rejection: its outbound id.
    public private(set) var rejectionID: [UInt8] = []

    /// For a message that could not be read from where it was.
    public static func refusal(of message: Message, _ rejection: Rejection, decidedAt: Int64) -> Verdict {
        var verdict = Verdict(account: nil, slug: nil, decidedAt: decidedAt)
        verdict.answer = .decided(.rejected(rejection))
        verdict.reject(rejection, message, messageID: [], earlier: 0, document: nil, body: message.body)
        return verdict
    }

    init(account: String?, slug: String?, decidedAt: Int64) {
        self.account = account
        self.slug = slug
        self.decidedAt = decidedAt
    }

    /// - Parameters:
    ///   - messageID: the message's own, else a generated one.
    ///   - earlier: how many rejections went out for this id before; each has an outbound id of its own.
    mutating func reject(
        _ rejection: Rejection, _ message: Message, messageID: [UInt8], earlier: Int, document: Document?,
        body: [UInt8]
    ) {
        rejectionID = OutboundID.make(
            "rejected:", messageID, suffix: earlier > 0 ? "#\(earlier + 1)" : "")
        problem = ProblemText.problem(
            rejection, account: account, slug: slug, messageID: message.messageID, decidedAt: decidedAt)
        original = ProblemText.original(message, document: document, body: body)
    }
}
