import WidgetAMQP
import WidgetJSON
import WidgetJSONParsing

/// An outcome that came by.
enum WatchEvent {
    /// The body of a fan-out (PROTOCOL section 2).
    case accepted(Document)
    case deleted(Document)
    /// The body of a rejection (PROTOCOL section 3).
    case rejected(Document)

    /// - Returns: `nil` for a message that is none of the worker's.
    init?(_ message: AMQPMessage, _ reader: DocumentReader) {
        guard let body = try? reader.read(message.body, depth: 40), body[0].kind == .object else { return nil }
        switch message.type {
        case "widget.accepted": self = .accepted(body)
        case "widget.deleted": self = .deleted(body)
        case "widget.rejected": self = .rejected(body)
        default: return nil
        }
    }

    /// A line of JSON as `apply` writes it.
    var jsonLine: String {
        var out: [UInt8] = []
        var json = JSONWriter()
        json.beginObject(&out)
        json.name("outcome", &out)
        switch self {
        case .accepted(let widget), .deleted(let widget):
            json.string("accepted", &out)
            json.name("account", &out)
            json.string(widget.text("account") ?? "", &out)
            json.name("slug", &out)
            json.string(widget.text("slug") ?? "", &out)
            json.name("revision", &out)
            json.integer(widget.integer("revision") ?? 0, &out)
            json.name("widget", &out)
            json.raw(widget.textOfValue(at: 0), &out)
        case .rejected(let problem):
            json.string("rejected", &out)
            json.rawMembers(problem.textOfValue(at: 0).dropFirst().dropLast(), &out)
        }
        json.endObject(&out)
        // White space between values; inside strings a line end cannot stand (RFC 8259 section 7).
        return String(decoding: out.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }, as: UTF8.self)
    }
}
