import WidgetContract
import WidgetJSON
import WidgetTime

/// The JSON of a rejection: RFC 9457 problem details with the members of PROTOCOL.
enum ProblemText {
    /// All but the original.
    static func problem(
        _ rejection: Rejection, account: String?, slug: String?, messageID: [UInt8]?, decidedAt: Int64
    ) -> [UInt8] {
        var out: [UInt8] = []
        var json = JSONWriter()
        json.beginObject(&out)
        json.name("type", &out)
        json.string("about:blank", &out)
        json.name("title", &out)
        json.string(rejection.code.title, &out)
        json.name("status", &out)
        json.integer(rejection.code.status, &out)
        json.name("code", &out)
        json.string(rejection.code.rawValue, &out)
        json.name("detail", &out)
        json.string(rejection.detail, &out)
        if !rejection.violations.isEmpty {
            json.name("errors", &out)
            json.beginArray(&out)
            for violation in rejection.violations { write(violation, &json, &out) }
            json.endArray(&out)
        }
        if let account {
            json.name("account", &out)
            json.string(account, &out)
        }
        if let slug {
            json.name("slug", &out)
            json.string(slug, &out)
        }
        if let messageID {
            json.name("message_id", &out)
            json.string(utf8: messageID, &out)
        }
        json.name("received_at", &out)
        json.date(decidedAt, &out)
        json.endObject(&out)
        return out
    }

    private static func write(_ violation: Violation, _ json: inout JSONWriter, _ out: inout [UInt8]) {
        json.beginObject(&out)
        json.name("location", &out)
        json.string(violation.location.description, &out)
        json.name("rule", &out)
        json.string(violation.rule.rawValue, &out)
        json.name("message", &out)
        json.string(violation.message, &out)
        if let value = violation.value {
            json.name("value", &out)
            json.raw(value[...], &out)
        }
        if violation.isStored {
            json.name("stored", &out)
            json.boolean(true, &out)
        }
        json.endObject(&out)
    }

    /// Most bytes of body that an original carries.
    static let longestOriginal = 64 * 1024

    /// - Parameters:
    ///   - document: the body as JSON, when it is JSON.
    ///   - body: its bytes, inflated; none when they stayed packed.
    static func original(_ message: Message, document: Document?, body: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        var json = JSONWriter()
        json.beginObject(&out)
        json.name("type", &out)
        json.string(message.type.flatMap { $0.isEmpty ? nil : $0 } ?? CommandKind.patch.rawValue, &out)
        json.name("exchange", &out)
        json.string(message.exchange, &out)
        json.name("routing_key", &out)
        json.string(message.routingKey, &out)
        let kept: ArraySlice<UInt8>
        if let document, !body.isEmpty {
            let text = Redaction.text(of: document)
            if text.count <= longestOriginal {
                json.name("body", &out)
                json.raw(text[...], &out)
                json.endObject(&out)
                return out
            }
            kept = text[...]
        } else {
            kept = Redaction.beforeHeaders(body)
        }
        // Replaced headers may make a short body long, and cutting before them makes a long one short.
        let whole = (body.isEmpty ? message.body.count : body.count) + message.droppedBodyBytes
        let isCut = kept.count > longestOriginal || kept.count < whole
        json.name("body_base64", &out)
        json.string(Base64.encode(kept.prefix(longestOriginal)), &out)
        if isCut {
            json.name("truncated", &out)
            json.boolean(true, &out)
        }
        json.endObject(&out)
        return out
    }
}

extension JSONWriter {
    /// A time as outcomes write it.
    mutating func date(_ milliseconds: Int64, _ out: inout [UInt8]) {
        raw([0x22], &out)
        DateTimeText.write(milliseconds: milliseconds, to: &out)
        out.append(0x22)
    }
}
