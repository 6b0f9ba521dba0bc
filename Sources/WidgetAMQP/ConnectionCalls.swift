internal import CAMQPShim

/// What the broker says about a queue.
public struct QueueStatus: Sendable, Equatable {
    public let name: String
    /// Messages that are ready for delivery.
    public let messages: Int
    public let consumers: Int
}

/// An argument of a declaration.
public enum AMQPArgument: Sendable, Equatable {
    case text(String)
    case integer(Int64)
    case boolean(Bool)
}

/// Calls that wait for the broker's answer.
extension Connection {
    func declareExchange(_ name: String, type: String, passive: Bool) throws(AMQPError) {
        let flags = UInt32(passive ? CAMQP_DECLARE_PASSIVE : CAMQP_DECLARE_DURABLE)
        try unsafe call(about: name) { unsafe camqp_declare_exchange($0, name, type, flags, nil, 0) }
    }

    func deleteExchange(_ name: String) throws(AMQPError) {
        try unsafe call(about: name) { unsafe camqp_delete_exchange($0, name) }
    }

    func bindExchange(_ destination: String, to source: String, key: String) throws(AMQPError) {
        try unsafe call(about: "\(destination) to \(source)") {
            unsafe camqp_bind_exchange($0, destination, source, key)
        }
    }

    func declareQueue(
        _ name: String, passive: Bool = false, durable: Bool = false, exclusive: Bool = false, autoDelete: Bool = false,
        arguments: [(name: String, value: AMQPArgument)] = []
    ) throws(AMQPError) -> QueueStatus {
        let flags = [
            passive ? CAMQP_DECLARE_PASSIVE : nil, durable ? CAMQP_DECLARE_DURABLE : nil,
            exclusive ? CAMQP_DECLARE_EXCLUSIVE : nil, autoDelete ? CAMQP_DECLARE_AUTO_DELETE : nil,
        ].reduce(UInt32(0)) { $0 | UInt32($1 ?? 0) }
        var answer = unsafe camqp_queue_status()
        let table = HeaderTable(arguments)
        try unsafe call(about: name) {
            unsafe camqp_declare_queue($0, name, flags, table.start, table.count, &answer)
        }
        return unsafe QueueStatus(
            name: answer.name.text ?? name, messages: Int(answer.messages), consumers: Int(answer.consumers))
    }

    func bindQueue(_ queue: String, to exchange: String, key: String) throws(AMQPError) {
        try unsafe call(about: "\(queue) to \(exchange)") { unsafe camqp_bind_queue($0, queue, exchange, key) }
    }

    func unbindQueue(_ queue: String, from exchange: String, key: String) throws(AMQPError) {
        try unsafe call(about: "\(queue) from \(exchange)") { unsafe camqp_unbind_queue($0, queue, exchange, key) }
    }

    func deleteQueue(_ name: String) throws(AMQPError) -> Int {
        var messages: UInt32 = 0
        try unsafe call(about: name) { unsafe camqp_delete_queue($0, name, &messages) }
        return Int(messages)
    }

    func purgeQueue(_ name: String) throws(AMQPError) -> Int {
        var messages: UInt32 = 0
        try unsafe call(about: name) { unsafe camqp_purge_queue($0, name, &messages) }
        return Int(messages)
    }

    func setPrefetch(_ count: Int) throws(AMQPError) {
        try unsafe call(about: "\(count)") { unsafe camqp_set_prefetch($0, UInt16(clamping: count)) }
    }

    func consume(_ queue: String, tag: String, exclusive: Bool = false) throws(AMQPError) {
        try unsafe call(about: queue) { unsafe camqp_consume($0, queue, tag, exclusive) }
    }

    func cancel(tag: String) throws(AMQPError) {
        try unsafe call(about: tag) { unsafe camqp_cancel($0, tag) }
    }

    /// Has the broker confirm what is published.
    /// - Parameter channels: over how many channels that is to be.
    /// - Returns: over how many it is; a broker may allow fewer.
    func selectConfirms(channels: Int = 1) throws(AMQPError) -> Int {
        var count = UInt32(channels)
        try unsafe call(about: "") { unsafe camqp_select_confirms($0, &count) }
        return Int(count)
    }
}
