internal import CAMQPShim
internal import WidgetWorker

/// Turns deliveries of the shim into the worker's, copying each byte that is kept once.
struct DeliveryReader {
    // Longer trace headers than W3C Trace Context asks to carry are left out: they go on to every outcome.
    private static let longestTraceparent = 256
    private static let longestTracestate = 1024

    private var exchange = RepeatedText()
    private var type = RepeatedText()
    private var contentType = RepeatedText()

    mutating func read(_ event: UnsafePointer<camqp_event>, generation: UInt64) -> Delivery {
        var message = Message()
        message.exchange = unsafe exchange.text(event.pointee.exchange) ?? ""
        message.routingKey = unsafe event.pointee.routing_key.text ?? ""
        message.type = unsafe type.text(event.pointee.properties.type)
        message.messageID = unsafe event.pointee.properties.message_id.array
        message.replyTo = unsafe event.pointee.properties.reply_to.text
        message.correlationID = unsafe event.pointee.properties.correlation_id.array
        message.contentType = unsafe contentType.text(event.pointee.properties.content_type)
        message.contentEncoding = unsafe event.pointee.properties.content_encoding.text
        message.userID = unsafe event.pointee.properties.user_id.text
        if unsafe event.pointee.properties.has_timestamp {
            message.timestamp = unsafe Int64(exactly: event.pointee.properties.timestamp)
        }
        if unsafe event.pointee.properties.header_count > 0 { unsafe readHeaders(event, &message) }
        message.body = unsafe event.pointee.body.array ?? []
        message.droppedBodyBytes = unsafe Int(clamping: event.pointee.dropped)
        message.isUnreadable = unsafe event.pointee.unreadable
        return unsafe Delivery(
            position: DeliveryPosition(generation: generation, tag: event.pointee.tag),
            queue: SourceConsumers.number(ofTag: event.pointee.consumer_tag),
            redelivered: event.pointee.redelivered, message: message)
    }

    private func readHeaders(_ event: UnsafePointer<camqp_event>, _ message: inout Message) {
        message.accountHeader = unsafe Self.text(event, "account", longest: .max)
        message.traceparent = unsafe Self.text(event, "traceparent", longest: Self.longestTraceparent)
        message.tracestate = unsafe Self.text(event, "tracestate", longest: Self.longestTracestate)
        if let header = unsafe Self.header(event, "sequence"), unsafe header.pointee.kind == CAMQP_KIND_INTEGER {
            message.sequence = unsafe header.pointee.integer
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
    private var bytes: [UInt8] = []
    private var text = ""

    mutating func text(_ found: camqp_bytes) -> String? {
        guard unsafe !found.isAbsent else { return nil }
        if unsafe !found.equals(bytes) {
            bytes = unsafe found.array ?? []
            text = String(decoding: bytes, as: UTF8.self)
        }
        return text
    }
}
