public import WidgetWorker

extension Message {
    /// A message as tests send it: a patch of `acme.pages` through the named exchange, unless they say otherwise.
    /// - Parameter key: the routing key; `nil` goes through the default exchange.
    public static func sample(
        _ body: some Sequence<UInt8>, key: String? = "acme.pages", type: String? = nil, id: String? = nil,
        replyTo: String? = nil, correlationID: String? = nil, contentType: String? = nil, encoding: String? = nil,
        user: String? = nil, account: String? = nil, sequence: Int64? = nil, traceparent: String? = nil,
        tracestate: String? = nil, dropped: Int = 0
    ) -> Message {
        var message = Message()
        message.exchange = key == nil ? "" : "widgets.updates"
        message.routingKey = key ?? "widgets.updates"
        message.type = type
        message.messageID = id.map { Array($0.utf8) }
        message.replyTo = replyTo
        message.correlationID = correlationID.map { Array($0.utf8) }
        message.contentType = contentType
        message.contentEncoding = encoding
        message.userID = user
        message.accountHeader = account
        message.sequence = sequence
        message.traceparent = traceparent
        message.tracestate = tracestate
        message.body = Array(body)
        message.droppedBodyBytes = dropped
        return message
    }

    /// The same with a text as its body.
    public static func sample(
        _ body: String, key: String? = "acme.pages", type: String? = nil, id: String? = nil, replyTo: String? = nil,
        correlationID: String? = nil, contentType: String? = nil, encoding: String? = nil, user: String? = nil,
        account: String? = nil, sequence: Int64? = nil, traceparent: String? = nil, tracestate: String? = nil,
        dropped: Int = 0
    ) -> Message {
        sample(
            body.utf8, key: key, type: type, id: id, replyTo: replyTo, correlationID: correlationID,
            contentType: contentType, encoding: encoding, user: user, account: account, sequence: sequence,
            traceparent: traceparent, tracestate: tracestate, dropped: dropped)
    }
}
