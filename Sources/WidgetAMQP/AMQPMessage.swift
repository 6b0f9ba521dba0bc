internal import CAMQPShim

/// A message as the client sends and receives it, with all its headers.
public struct AMQPMessage: Sendable, Equatable {
    /// Empty for the broker's default exchange, where the routing key is the queue's name.
    public var exchange: String
    public var routingKey: String
    public var contentType: String?
    public var contentEncoding: String?
    public var type: String?
    public var messageID: String?
    public var correlationID: String?
    public var replyTo: String?
    /// The broker checks that it is the user of the connection.
    public var userID: String?
    /// Seconds since 1970.
    public var timestamp: Int64?
    /// Kept over a restart of the broker, in a durable queue.
    public var isPersistent = true
    public var headers: [AMQPHeader] = []
    public var body: [UInt8]
    /// Octets of a received body that were over the limit and not kept.
    public var droppedBodyBytes = 0

    public init(exchange: String = "", routingKey: String, body: [UInt8] = []) {
        self.exchange = exchange
        self.routingKey = routingKey
        self.body = body
    }

    /// The first header of that name.
    public func header(_ name: String) -> AMQPHeader.Value? {
        headers.first { $0.name == name }?.value
    }
}

/// A header of a message.
public struct AMQPHeader: Sendable, Equatable {
    public enum Value: Sendable, Equatable {
        case void
        case boolean(Bool)
        case integer(Int64)
        case real(Double)
        /// Seconds since 1970.
        case timestamp(Int64)
        case text(String)
        case bytes([UInt8])
        /// A decimal, an integer over 63 bits, or nested values: received only, and not looked into.
        case opaque
    }

    public let name: String
    public let value: Value

    public init(_ name: String, _ value: Value) {
        self.name = name
        self.value = value
    }
}

/// A message that a queue handed to the client.
public struct AMQPClientDelivery: Sendable {
    /// To acknowledge it with.
    public let tag: UInt64
    public let redelivered: Bool
    public let consumerTag: String
    public let message: AMQPMessage
}

extension AMQPClientDelivery {
    init(_ event: UnsafePointer<camqp_event>) {
        tag = unsafe event.pointee.tag
        redelivered = unsafe event.pointee.redelivered
        consumerTag = unsafe event.pointee.consumer_tag.text ?? ""
        message = unsafe AMQPMessage(event)
    }
}

extension AMQPMessage {
    fileprivate init(_ event: UnsafePointer<camqp_event>) {
        unsafe self.init(
            exchange: event.pointee.exchange.text ?? "", routingKey: event.pointee.routing_key.text ?? "",
            body: event.pointee.body.array ?? [])
        let properties = unsafe event.pointee.properties
        contentType = unsafe properties.content_type.text
        contentEncoding = unsafe properties.content_encoding.text
        type = unsafe properties.type.text
        messageID = unsafe properties.message_id.text
        correlationID = unsafe properties.correlation_id.text
        replyTo = unsafe properties.reply_to.text
        userID = unsafe properties.user_id.text
        timestamp = unsafe properties.has_timestamp ? Int64(exactly: properties.timestamp) : nil
        isPersistent = unsafe properties.delivery_mode == 2
        let flat = unsafe UnsafeBufferPointer(start: properties.headers, count: properties.header_count)
        for index in flat.indices {
            headers.append(unsafe AMQPHeader(flat[index]))
        }
        droppedBodyBytes = unsafe Int(clamping: event.pointee.dropped)
    }
}

extension AMQPHeader {
    fileprivate init(_ header: camqp_header) {
        unsafe name = header.name.text ?? ""
        value =
            switch unsafe header.kind {
            case CAMQP_KIND_VOID: .void
            case CAMQP_KIND_BOOLEAN: unsafe .boolean(header.integer != 0)
            case CAMQP_KIND_INTEGER: unsafe .integer(header.integer)
            case CAMQP_KIND_REAL: unsafe .real(header.real)
            case CAMQP_KIND_TIMESTAMP: unsafe .timestamp(header.integer)
            case CAMQP_KIND_STRING: unsafe .text(header.bytes.text ?? "")
            case CAMQP_KIND_BYTES: unsafe .bytes(header.bytes.array ?? [])
            default: .opaque
            }
    }
}
