/// An inbound message: its bytes and the properties and headers that PROTOCOL gives a meaning, transport left out.
///
/// A value that is handed on by one reference: its properties are a dozen references, and counting each at each step
/// takes longer than reading the message.
///
/// Identifiers are kept as bytes: Swift's `String` equality would make a composed and a decomposed é one id.
public struct Message: Sendable {
    private var storage: Storage

    public init() {
        storage = Storage()
    }

    /// With all that `fill` sets. To set it in a message asks each time whether that is shared.
    public init(_ fill: (inout Properties) -> Void) {
        storage = Storage(fill)
    }

    /// The exchange it came through; empty for the broker's default exchange.
    public var exchange: String {
        get { storage.properties.exchange }
        set { own.properties.exchange = newValue }
    }

    public var routingKey: String {
        get { storage.properties.routingKey }
        set { own.properties.routingKey = newValue }
    }

    /// The slug, where it comes apart from a routing key: in a line of `apply`.
    public var slug: String? {
        get { storage.properties.slug }
        set { own.properties.slug = newValue }
    }

    public var type: String? {
        get { storage.properties.type }
        set { own.properties.type = newValue }
    }

    public var messageID: [UInt8]? {
        get { storage.properties.messageID }
        set { own.properties.messageID = newValue }
    }

    public var replyTo: String? {
        get { storage.properties.replyTo }
        set { own.properties.replyTo = newValue }
    }

    public var correlationID: [UInt8]? {
        get { storage.properties.correlationID }
        set { own.properties.correlationID = newValue }
    }

    public var contentType: String? {
        get { storage.properties.contentType }
        set { own.properties.contentType = newValue }
    }

    public var contentEncoding: String? {
        get { storage.properties.contentEncoding }
        set { own.properties.contentEncoding = newValue }
    }

    /// `user_id`, which the broker has checked against the connection that published.
    public var userID: String? {
        get { storage.properties.userID }
        set { own.properties.userID = newValue }
    }

    /// The sender's clock in seconds since 1970; for the age metric only.
    public var timestamp: Int64? {
        get { storage.properties.timestamp }
        set { own.properties.timestamp = newValue }
    }

    /// Header `account`, when it is a string.
    public var accountHeader: String? {
        get { storage.properties.accountHeader }
        set { own.properties.accountHeader = newValue }
    }

    /// Header `sequence`, when it is an integer.
    public var sequence: Int64? {
        get { storage.properties.sequence }
        set { own.properties.sequence = newValue }
    }

    public var traceparent: String? {
        get { storage.properties.traceparent }
        set { own.properties.traceparent = newValue }
    }

    public var tracestate: String? {
        get { storage.properties.tracestate }
        set { own.properties.tracestate = newValue }
    }

    public var body: [UInt8] {
        get { storage.properties.body }
        set { own.properties.body = newValue }
    }

    /// Octets of body the transport did not keep because they were over its limit; 0 for a whole body.
    public var droppedBodyBytes: Int {
        get { storage.properties.droppedBodyBytes }
        set { own.properties.droppedBodyBytes = newValue }
    }

    /// The transport could not read its headers, and has given neither them nor the body.
    public var isUnreadable: Bool {
        get { storage.properties.isUnreadable }
        set { own.properties.isUnreadable = newValue }
    }

    /// The storage, as this message's alone.
    private var own: Storage {
        mutating get {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.properties) }
            return storage
        }
    }

    /// What a message has, for making one; its own properties tell of each.
    public struct Properties: Sendable {
        public var exchange = ""
        public var routingKey = ""
        public var slug: String?
        public var type: String?
        public var messageID: [UInt8]?
        public var replyTo: String?
        public var correlationID: [UInt8]?
        public var contentType: String?
        public var contentEncoding: String?
        public var userID: String?
        public var timestamp: Int64?
        public var accountHeader: String?
        public var sequence: Int64?
        public var traceparent: String?
        public var tracestate: String?
        public var body: [UInt8] = []
        public var droppedBodyBytes = 0
        public var isUnreadable = false

        fileprivate init() {}
    }

    /// Changed only while one message alone refers to it, as an array's elements are: so threads can share it.
    private final class Storage: @unchecked Sendable {
        var properties: Properties

        init(_ properties: Properties = Properties()) {
            self.properties = properties
        }

        /// It fills what is not in the object yet: one that is lent out has its accesses checked, each, for good.
        init(_ fill: (inout Properties) -> Void) {
            var properties = Properties()
            fill(&properties)
            self.properties = properties
        }
    }
}

/// A message in hand: what was delivered and where to acknowledge it.
public struct Delivery: Sendable {
    public let position: DeliveryPosition
    /// Which of the queues that updates are spread over it came from, counted from 0: the same for all workers, whichever
    /// queues each of them consumes.
    public let queue: Int
    /// The broker says that it handed this message out before.
    public let redelivered: Bool
    public let message: Message

    public init(position: DeliveryPosition, queue: Int = 0, redelivered: Bool, message: Message) {
        self.position = position
        self.queue = queue
        self.redelivered = redelivered
        self.message = message
    }

    /// A message that is not from a broker.
    public init(_ message: Message, redelivered: Bool = false) {
        self.init(position: DeliveryPosition(generation: 0, tag: 0), redelivered: redelivered, message: message)
    }
}

/// A delivery tag together with the connection that gave it: a tag means nothing on the next connection.
public struct DeliveryPosition: Hashable, Sendable {
    /// Counts the source's connections from 1.
    public let generation: UInt64
    /// AMQP delivery tag, rising by one with each delivery of that connection, whatever the queue.
    public let tag: UInt64

    public init(generation: UInt64, tag: UInt64) {
        self.generation = generation
        self.tag = tag
    }
}
