import WidgetJSON
import WidgetJSONParsing
import WidgetTime

/// Reads rejections, one after the other with the same memory.
struct StoredRejectionReader {
    private let parser = DocumentReader()
    private var document = Document()
    /// The original's body, at most `MessageLimits.deepest` deep, stands two levels down; a worker may allow more.
    private static let depth = 64

    init() {}

    /// - Parameter message: as the queue handed it out.
    mutating func read(_ message: Message) throws(RedriveRefusal) -> StoredRejection {
        guard let id = message.messageID, !id.isEmpty else { throw .withoutID }
        guard message.droppedBodyBytes == 0 else { throw .unreadable }
        do {
            document = try parser.read(message.body, depth: Self.depth)
        } catch {
            throw .unreadable
        }
        guard let code = string("code"),
            let receivedAt = string("received_at").flatMap({ DateTimeText.read(Array($0.utf8)[...]) }),
            let original = document.member("original"), let type = string("type", of: original),
            let exchange = string("exchange", of: original), let routingKey = string("routing_key", of: original),
            let body = body(of: original)
        else { throw .unreadable }
        return StoredRejection(
            id: id, code: code, account: string("account"), slug: string("slug"), messageID: string("message_id"),
            receivedAt: receivedAt.milliseconds,
            original: StoredRejection.Original(type: type, exchange: exchange, routingKey: routingKey, body: body))
    }

    /// `nil` when it is neither there as JSON nor as bytes.
    private func body(of original: Int) -> StoredRejection.Body? {
        guard document.member("truncated", of: original) == nil else { return .truncated }
        if let body = document.member("body", of: original) {
            guard !Redaction.isRedacted(document, body) else { return .redacted }
            return .whole(Array(document.textOfValue(at: body)))
        }
        return string("body_base64", of: original).flatMap(Base64.decode).map { .whole($0) }
    }

    private func string(_ name: String, of position: Int = 0) -> String? {
        document.member(name, of: position).flatMap { document.string(at: $0) }
    }
}
