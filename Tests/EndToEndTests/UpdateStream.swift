import WidgetAMQP
import WidgetTestSupport

/// Updates of rollouts over some widgets that a seed determines: patches, mistakes, deletions, repeats of an id.
struct UpdateStream {
    struct Update {
        var slug: String
        var type: String
        var id: String?
        var body: String

        /// As a line of `apply`.
        var line: String {
            let id = id.map { #""message_id":"\#($0)","# } ?? ""
            let quoted = body.reduce(into: "") { $0 += $1 == "\"" || $1 == "\\" ? "\\\($1)" : String($1) }
            return #"{"account":"acme","slug":"\#(slug)","type":"\#(type)",\#(id)"raw":"\#(quoted)"}"#
        }

        func message(exchange: String) -> AMQPMessage {
            var message = AMQPMessage(exchange: exchange, routingKey: "acme.\(slug)", body: Array(body.utf8))
            message.type = type
            message.messageID = id
            message.contentType = "application/json"
            return message
        }
    }

    let updates: [Update]

    init(count: Int, widgets: Int, seed: UInt64, hasIDs: Bool) {
        var random = SeededRandom(seed: seed)
        var updates: [Update] = (0..<widgets).map { index in
            Self.create("w\(index)", id: hasIDs ? "c\(index)" : nil)
        }
        while updates.count < count {
            let slug = "w\(Int.random(in: 0..<widgets, using: &random))"
            let id = hasIDs ? "m\(updates.count)" : nil
            let value = Double(Int.random(in: 0...1000, using: &random)) / 1000
            func patch(_ body: String) -> Update { Update(slug: slug, type: "widget.patch", id: id, body: body) }
            switch Int.random(in: 0..<20, using: &random) {
            case 0: updates.append(patch(#"{"content":{"value":42}}"#))
            case 1: updates.append(patch(#"{"content":"#))
            case 2: updates.append(Update(slug: "none", type: "widget.patch", id: id, body: "{}"))
            case 3:
                updates.append(Update(slug: slug, type: "widget.delete", id: id, body: ""))
                updates.append(Self.create(slug, id: id.map { $0 + "-again" }))
            case 4 where hasIDs: updates.append(updates[updates.count - 1 - Int.random(in: 0..<20, using: &random)])
            case 5: updates.append(patch(#"{"content":{"subtitle":null,"trend":"up"}}"#))
            default: updates.append(patch(#"{"content":{"value":\#(value),"subtitle":"step \#(updates.count)"}}"#))
            }
        }
        self.updates = updates
    }

    private static func create(_ slug: String, id: String?) -> Update {
        let body = #"{"name":"Rollout","content":{"template":"progress","value":0,"subtitle":"start"}}"#
        return Update(slug: slug, type: "widget.create", id: id, body: body)
    }
}
