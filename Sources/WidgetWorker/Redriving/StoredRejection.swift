import WidgetContract

/// A rejection as it lies in a queue (PROTOCOL section 3), read back.
public struct StoredRejection: Sendable {
    /// Its outbound id, the same each time it comes.
    public let id: [UInt8]
    public let code: String
    /// As far as the refused message told them.
    public let account: String?
    public let slug: String?
    /// The refused message's own id.
    public let messageID: String?
    /// Milliseconds since 1970.
    public let receivedAt: Int64
    public let original: Original

    /// The refused message, as far as its rejection holds it.
    public struct Original: Sendable {
        public let type: String
        /// Empty for the broker's default exchange.
        public let exchange: String
        public let routingKey: String
        let body: Body
    }

    enum Body: Sendable {
        case whole([UInt8])
        case truncated
        /// Placeholders stand for values of action headers.
        case redacted
    }

    /// The id that the original is sent in again with: always the same one, so that the worker recognises what an
    /// interrupted redrive has sent already. At most 255 bytes, the end of a longer one is a hash.
    public var redriveID: [UInt8] { OutboundID.make("redrive:", id) }

    /// The message to send in again.
    ///
    /// `reply_to`, `correlation_id`, `content_type`, `content_encoding`, `timestamp` and `sequence` are not in a rejection:
    /// the original comes without them, its body plain.
    /// - Parameter rejection: the message that the rejection is the body of; its trace goes on.
    func restored(from rejection: Message) throws(RedriveRefusal) -> Message {
        // With its sequence it would be stale again, and without it an old value would win over a newer one.
        guard code != RejectionCode.sequenceStale.rawValue else { throw .sequenceStale }
        var message = Message()
        switch original.body {
        case .whole(let body): message.body = body
        case .truncated: throw .truncated
        case .redacted: throw .redacted
        }
        message.exchange = original.exchange
        message.routingKey = original.routingKey
        message.type = original.type
        message.messageID = redriveID
        // On a named exchange the routing key says it.
        message.accountHeader = original.exchange.isEmpty ? account : nil
        message.traceparent = rejection.traceparent
        message.tracestate = rejection.tracestate
        return message
    }
}
