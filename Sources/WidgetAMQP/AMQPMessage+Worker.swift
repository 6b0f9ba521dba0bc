public import WidgetWorker

/// The worker's messages, to and from the client's.
extension AMQPMessage {
    public init(_ message: Message) {
        self.init(exchange: message.exchange, routingKey: message.routingKey, body: message.body)
        type = message.type
        messageID = message.messageID.map { String(decoding: $0, as: UTF8.self) }
        correlationID = message.correlationID.map { String(decoding: $0, as: UTF8.self) }
        replyTo = message.replyTo
        contentType = message.contentType
        contentEncoding = message.contentEncoding
        userID = message.userID
        timestamp = message.timestamp
        let texts = [
            ("account", message.accountHeader), ("traceparent", message.traceparent),
            ("tracestate", message.tracestate),
        ]
        headers = texts.compactMap { name, text in text.map { AMQPHeader(name, .text($0)) } }
        if let sequence = message.sequence { headers.append(AMQPHeader("sequence", .integer(sequence))) }
    }
}

extension Message {
    public init(_ message: AMQPMessage) {
        self.init()
        exchange = message.exchange
        routingKey = message.routingKey
        type = message.type
        messageID = message.messageID.map { Array($0.utf8) }
        correlationID = message.correlationID.map { Array($0.utf8) }
        replyTo = message.replyTo
        contentType = message.contentType
        contentEncoding = message.contentEncoding
        userID = message.userID
        timestamp = message.timestamp
        if case .text(let text) = message.header("account") { accountHeader = text }
        if case .text(let text) = message.header("traceparent") { traceparent = text }
        if case .text(let text) = message.header("tracestate") { tracestate = text }
        if case .integer(let integer) = message.header("sequence") { sequence = integer }
        body = message.body
        droppedBodyBytes = message.droppedBodyBytes
    }
}
