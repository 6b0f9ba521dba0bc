package import WidgetAMQP
import WidgetTestSupport

/// Updates of rollouts over some widgets that a seed determines: patches, mistakes, deletions, repeats and reuses of
/// an id.
///
/// Of a widget's equal ones without an id none stands right behind another, whatever queues the updates are spread over:
/// where what was decided ends between the two, nobody can tell which of them the broker hands out again.
package struct UpdateStream {
    /// Which updates have a message id.
    package enum IDs: Sendable {
        case all, some, none
    }

    package struct Update: Equatable, Sendable {
        var slug: String
        var type: String
        package internal(set) var id: String?
        var body: String

        /// As a line of `apply`.
        package var line: String {
            let id = id.map { #""message_id":"\#($0)","# } ?? ""
            let quoted = body.reduce(into: "") { $0 += $1 == "\"" || $1 == "\\" ? "\\\($1)" : String($1) }
            return #"{"account":"acme","slug":"\#(slug)","type":"\#(type)",\#(id)"raw":"\#(quoted)"}"#
        }

        package func message(exchange: String) -> AMQPMessage {
            var message = AMQPMessage(exchange: exchange, routingKey: "acme.\(slug)", body: Array(body.utf8))
            message.type = type
            message.messageID = id
            message.contentType = "application/json"
            return message
        }
    }

    /// All so far.
    package private(set) var updates: [Update] = []
    private var random: SeededRandom
    private let widgets: Int
    private let ids: IDs
    private let reusesIDs: Bool

    /// - Parameter reusesIDs: some ids come again with another body, which is a conflict.
    package init(widgets: Int, seed: UInt64, ids: IDs, reusesIDs: Bool = true) {
        random = SeededRandom(seed: seed)
        self.widgets = widgets
        self.ids = ids
        self.reusesIDs = reusesIDs
    }

    /// The next updates, at least so many; the first ones create the widgets.
    package mutating func next(_ count: Int) -> [Update] {
        let first = updates.count
        while updates.count < first + count {
            if updates.count < widgets {
                append(creating: "w\(updates.count)")
            } else {
                appendAny()
            }
        }
        return Array(updates[first...])
    }

    private mutating func appendAny() {
        let slug = "w\(random.below(widgets))"
        let value = Double(random.below(1001)) / 1000
        switch random.below(20) {
        case 0: append(slug, #"{"content":{"value":42}}"#)
        case 1: append(slug, #"{"content":"#)
        case 2: append("none", "{}")
        case 3:
            append(slug, type: "widget.delete", "")
            append(creating: slug)
        case 4: repeatEarlier { _ in }
        case 5: append(slug, #"{"content":{"subtitle":null,"trend":"up"}}"#)
        case 6 where reusesIDs: repeatEarlier { $0.body = #"{"content":{"subtitle":"another \#($0.id ?? "")"}}"# }
        default: append(slug, #"{"content":{"value":\#(value),"subtitle":"step \#(updates.count)"}}"#)
        }
    }

    private mutating func append(creating slug: String) {
        append(
            slug, type: "widget.create",
            #"{"name":"Rollout","content":{"template":"progress","value":0,"subtitle":"start"}}"#)
    }

    private mutating func append(_ slug: String, type: String = "widget.patch", _ body: String) {
        let hasID =
            switch ids {
            case .all: true
            case .some: !random.oneIn(3)
            case .none: false
            }
        let update = Update(slug: slug, type: type, id: hasID ? "m\(updates.count)" : nil, body: body)
        if hasID || update != updates.last(where: { $0.slug == slug }) { updates.append(update) }
    }

    /// One of the last again, when it has an id.
    private mutating func repeatEarlier(changing change: (inout Update) -> Void) {
        var update = updates[updates.count - 1 - random.below(min(20, updates.count))]
        guard update.id != nil else { return }
        change(&update)
        updates.append(update)
    }
}
