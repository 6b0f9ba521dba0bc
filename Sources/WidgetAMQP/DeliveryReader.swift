internal import CAMQPShim
internal import WidgetWorker

/// Turns deliveries of the shim into the worker's, copying each byte that is kept once.
struct DeliveryReader {
    // Longer trace headers than W3C Trace Context asks to carry are left out: they go on to every outcome.
    private static let longestTraceparent = 256
    private static let longestTracestate = 1024

    private var exchange = RepeatedText()
    private var type = RepeatedText()
    private var contentType = RepeatedText("application/json")

    mutating func read(_ event: UnsafePointer<camqp_event>, generation: UInt64) -> Delivery {
        let message = Message { properties in
            properties.exchange = unsafe exchange.text(event.pointee.exchange) ?? ""
            properties.routingKey = unsafe event.pointee.routing_key.text ?? ""
            properties.type = unsafe type.text(event.pointee.properties.type)
            properties.messageID = unsafe event.pointee.properties.message_id.array
            properties.replyTo = unsafe event.pointee.properties.reply_to.text
            properties.correlationID = unsafe event.pointee.properties.correlation_id.array
            properties.contentType = unsafe contentType.text(event.pointee.properties.content_type)
            properties.contentEncoding = unsafe event.pointee.properties.content_encoding.text
            properties.userID = unsafe event.pointee.properties.user_id.text
            if unsafe event.pointee.properties.has_timestamp {
                properties.timestamp = unsafe Int64(exactly: event.pointee.properties.timestamp)
            }
            if unsafe event.pointee.properties.header_count > 0 { unsafe readHeaders(event, &properties) }
            properties.body = unsafe event.pointee.body.array ?? []
            properties.droppedBodyBytes = unsafe Int(clamping: event.pointee.dropped)
            properties.isUnreadable = unsafe event.pointee.unreadable
        }
        return unsafe Delivery(
            position: DeliveryPosition(generation: generation, tag: event.pointee.tag),
            queue: SourceConsumers.number(ofTag: event.pointee.consumer_tag),
            redelivered: event.pointee.redelivered, message: message)
    }

    private func readHeaders(_ event: UnsafePointer<camqp_event>, _ properties: inout Message.Properties) {
        properties.accountHeader = unsafe Self.text(event, "account", longest: .max)
        properties.traceparent = unsafe Self.text(event, "traceparent", longest: Self.longestTraceparent)
        properties.tracestate = unsafe Self.text(event, "tracestate", longest: Self.longestTracestate)
        if let header = unsafe Self.header(event, "sequence"), unsafe header.pointee.kind == CAMQP_KIND_INTEGER {
            properties.sequence = unsafe header.pointee.integer
        }
    }

    private static func header(_ event: UnsafePointer<camqp_event>, _ name: String) -> UnsafePointer<camqp_header>? {
        unsafe camqp_find_header(event.pointee.properties.headers, event.pointee.properties.header_count, name)
    }

    private static func text(_ event: UnsafePointer<camqp_event>, _ name: String, longest: Int) -> String? {
        guard let header = unsafe header(event, name), unsafe header.pointee.kind == CAMQP_KIND_STRING,
            unsafe header.pointee.bytes.count <= longest
        else { return nil }
        return unsafe header.pointee.bytes.text
    }
}

/// A text that is mostly the same as the last one: then it is not made again.
struct RepeatedText {
    private var bytes: [UInt8]
    private var text: String

    /// - Parameter usual: a literal's references are not counted; those of a longer text that is made here are, in one place
    ///   for all messages, by the thread that makes them and the one that reads them.
    init(_ usual: StaticString = "") {
        text = usual.description
        bytes = Array(text.utf8)
    }

    mutating func text(_ found: camqp_bytes) -> String? {
        guard unsafe !found.isAbsent else { return nil }
        if unsafe !found.equals(bytes) {
            bytes = unsafe found.array ?? []
            text = String(decoding: bytes, as: UTF8.self)
        }
        return text
    }
}
