package import WidgetAMQP
import WidgetTestSupport

/// Updates of rollouts over some widgets that a seed determines: patches, mistakes, deletions, repeats and reuses of
/// an id.
///
/// No two without an id are equal, but for deletions when there are no ids at all: where equal ones stand at the border
/// of what was decided, nobody can tell which of them the broker hands out again.
package struct UpdateStream {
    /// Which updates have a message id.
    package enum IDs: Sendable {
        case all, some, none
    }

    package struct Update: Sendable {
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
        let step = updates.count
        switch random.below(20) {
        case 0: append(slug, #"{"content":{"value":42,"subtitle":"step \#(step)"}}"#)
        case 1: append(slug, #"{"content":\#(step)"#)
        case 2: append("none", #"{"name":"step \#(step)"}"#)
        case 3:
            append(slug, type: "widget.delete", "", needsID: ids != .none)
            append(creating: slug)
        case 4: repeatEarlier { _ in }
        case 5: append(slug, #"{"content":{"subtitle":null,"label":"step \#(step)"}}"#)
        case 6 where reusesIDs: repeatEarlier { $0.body = #"{"content":{"subtitle":"another \#($0.id ?? "")"}}"# }
        case 7: append(slug, "{}", needsID: ids != .none)
        default: append(slug, #"{"content":{"value":\#(value),"subtitle":"step \#(step)"}}"#)
        }
    }

    private mutating func append(creating slug: String) {
        append(
            slug, type: "widget.create",
            #"{"name":"Rollout","content":{"template":"progress","value":0,"subtitle":"start \#(updates.count)"}}"#)
    }

    private mutating func append(
        _ slug: String, type: String = "widget.patch", _ body: String, needsID: Bool = false
    ) {
        let hasID =
            switch ids {
            case .all: true
            case .some: needsID || !random.oneIn(3)
            case .none: false
            }
        updates.append(Update(slug: slug, type: type, id: hasID ? "m\(updates.count)" : nil, body: body))
    }

    /// One of the last again, when it has an id.
    private mutating func repeatEarlier(changing change: (inout Update) -> Void) {
        var update = updates[updates.count - 1 - random.below(min(20, updates.count))]
        guard update.id != nil else { return }
        change(&update)
        updates.append(update)
    }
}
