/// An inbound message: its bytes and the properties and headers that PROTOCOL gives a meaning, transport left out.
///
/// Identifiers are kept as bytes: Swift's `String` equality would make a composed and a decomposed é one id.
public struct Message: Sendable {
    /// The exchange it came through; empty for the broker's default exchange.
    public var exchange = ""
    public var routingKey = ""
    /// The slug, where it comes apart from a routing key: in a line of `apply`.
    public var slug: String?
    public var type: String?
    public var messageID: [UInt8]?
    public var replyTo: String?
    public var correlationID: [UInt8]?
    public var contentType: String?
    public var contentEncoding: String?
    /// `user_id`, which the broker has checked against the connection that published.
    public var userID: String?
    /// The sender's clock in seconds since 1970; for the age metric only.
    public var timestamp: Int64?
    /// Header `account`, when it is a string.
    public var accountHeader: String?
    /// Header `sequence`, when it is an integer.
    public var sequence: Int64?
    public var traceparent: String?
    public var tracestate: String?
    public var body: [UInt8] = []
    /// Octets of body the transport did not keep because they were over its limit; 0 for a whole body.
    public var droppedBodyBytes = 0
    /// The transport could not read its headers, and has given neither them nor the body.
    public var isUnreadable = false

    public init() {}
}

/// A message in hand: what was delivered and where to acknowledge it.
public struct Delivery: Sendable {
    public let position: DeliveryPosition
    /// The broker says that it handed this message out before.
    public let redelivered: Bool
    public let message: Message

    public init(position: DeliveryPosition, redelivered: Bool, message: Message) {
        self.position = position
        self.redelivered = redelivered
        self.message = message
    }
}

/// A delivery tag together with the connection that gave it: a tag means nothing on the next connection.
public struct DeliveryPosition: Hashable, Sendable {
    /// Counts the source's connections from 1.
    public let generation: UInt64
    /// AMQP delivery tag, rising by one with each delivery of that connection.
    public let tag: UInt64

    public init(generation: UInt64, tag: UInt64) {
        self.generation = generation
        self.tag = tag
    }
}
