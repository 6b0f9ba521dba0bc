internal import CAMQPShim

/// Lends a message in the shim's form.
extension AMQPMessage {
    func withPublication<Result>(_ body: (UnsafePointer<camqp_publication>) -> Result) -> Result {
        let arena = Arena()
        var publication = unsafe camqp_publication()
        unsafe publication.exchange = arena.keep(exchange)
        unsafe publication.routing_key = arena.keep(routingKey)
        unsafe publication.properties.content_type = arena.keep(contentType)
        unsafe publication.properties.content_encoding = arena.keep(contentEncoding)
        unsafe publication.properties.type = arena.keep(type)
        unsafe publication.properties.message_id = arena.keep(messageID)
        unsafe publication.properties.correlation_id = arena.keep(correlationID)
        unsafe publication.properties.reply_to = arena.keep(replyTo)
        unsafe publication.properties.user_id = arena.keep(userID)
        unsafe publication.properties.has_timestamp = timestamp != nil
        unsafe publication.properties.timestamp = UInt64(clamping: timestamp ?? 0)
        unsafe publication.properties.delivery_mode = isPersistent ? 2 : 1
        unsafe publication.body = arena.keep(self.body)
        let flat = unsafe headers.map { unsafe Self.flat($0, arena) }
        return unsafe flat.withUnsafeBufferPointer { flat in
            unsafe publication.properties.headers = flat.baseAddress
            unsafe publication.properties.header_count = flat.count
            return unsafe withUnsafePointer(to: publication) { unsafe body($0) }
        }
    }

    private static func flat(_ header: AMQPHeader, _ arena: Arena) -> camqp_header {
        var result = unsafe camqp_header()
        unsafe result.name = arena.keep(header.name)
        switch header.value {
        case .void: unsafe result.kind = CAMQP_KIND_VOID
        case .boolean(let boolean):
            unsafe result.kind = CAMQP_KIND_BOOLEAN
            unsafe result.integer = boolean ? 1 : 0
        case .integer(let integer):
            unsafe result.kind = CAMQP_KIND_INTEGER
            unsafe result.integer = integer
        case .real(let real):
            unsafe result.kind = CAMQP_KIND_REAL
            unsafe result.real = real
        case .timestamp(let seconds):
            unsafe result.kind = CAMQP_KIND_TIMESTAMP
            unsafe result.integer = seconds
        case .text(let text):
            unsafe result.kind = CAMQP_KIND_STRING
            unsafe result.bytes = arena.keep(text)
        case .bytes(let bytes):
            unsafe result.kind = CAMQP_KIND_BYTES
            unsafe result.bytes = arena.keep(bytes)
        case .opaque: unsafe result.kind = CAMQP_KIND_TABLE  // The shim refuses it: what is in it is not known.
        }
        return unsafe result
    }
}

/// Copies of texts that stay in place until all of them are freed together.
@safe private final class Arena {
    private var copies: [UnsafeMutableBufferPointer<UInt8>] = unsafe []

    deinit {
        while let copy = unsafe copies.popLast() {
            unsafe copy.deallocate()
        }
    }

    func keep(_ text: String?) -> camqp_bytes {
        guard let text else { return unsafe camqp_bytes() }
        return unsafe keep(Array(text.utf8))
    }

    func keep(_ bytes: [UInt8]) -> camqp_bytes {
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(1, bytes.count))
        _ = unsafe copy.initialize(fromContentsOf: bytes)
        unsafe copies.append(copy)
        return unsafe camqp_bytes(start: UnsafePointer(copy.baseAddress), count: bytes.count)
    }
}
