/// Declarations through the client.
extension AMQPClient {
    /// A durable exchange.
    public func declareExchange(_ name: String, type: String) throws(AMQPError) {
        try perform { () throws(AMQPError) in try connection.declareExchange(name, type: type, passive: false) }
    }

    /// - Throws: with `code` 404 when it is not there.
    public func checkExchange(_ name: String) throws(AMQPError) {
        try perform { () throws(AMQPError) in try connection.declareExchange(name, type: "topic", passive: true) }
    }

    public func hasExchange(_ name: String) throws(AMQPError) -> Bool {
        do {
            try checkExchange(name)
            return true
        } catch {
            guard error.code == 404 else { throw error }
            return false
        }
    }

    public func deleteExchange(_ name: String) throws(AMQPError) {
        try perform { () throws(AMQPError) in try connection.deleteExchange(name) }
    }

    /// - Parameter name: empty to have the broker make one, which the result tells.
    public func declareQueue(
        _ name: String = "", durable: Bool = false, exclusive: Bool = false, autoDelete: Bool = false,
        arguments: [(name: String, value: AMQPArgument)] = []
    ) throws(AMQPError) -> QueueStatus {
        try perform { () throws(AMQPError) in
            try connection.declareQueue(
                name, durable: durable, exclusive: exclusive, autoDelete: autoDelete, arguments: arguments)
        }
    }

    /// - Throws: with `code` 404 when it is not there.
    public func status(ofQueue name: String) throws(AMQPError) -> QueueStatus {
        try perform { () throws(AMQPError) in try connection.declareQueue(name, passive: true) }
    }

    /// What of the topology is not there, or may not be looked at: a sentence for each.
    public func missing(of topology: Topology) throws(AMQPError) -> [String] {
        var missing: [String] = []
        for declaration in topology.inbound + topology.outbound {
            do {
                try perform { () throws(AMQPError) in try connection.declare([declaration], .check) }
            } catch {
                guard connection.hasChannel else { throw error }
                missing.append(error.description)
            }
        }
        return missing
    }

    public func bindQueue(_ queue: String, to exchange: String, key: String) throws(AMQPError) {
        try perform { () throws(AMQPError) in try connection.bindQueue(queue, to: exchange, key: key) }
    }

    public func unbindQueue(_ queue: String, from exchange: String, key: String) throws(AMQPError) {
        try perform { () throws(AMQPError) in try connection.unbindQueue(queue, from: exchange, key: key) }
    }

    /// - Returns: the messages that were deleted with it.
    @discardableResult
    public func deleteQueue(_ name: String) throws(AMQPError) -> Int {
        try perform { () throws(AMQPError) in try connection.deleteQueue(name) }
    }

    /// - Returns: the messages that were deleted.
    @discardableResult
    public func purgeQueue(_ name: String) throws(AMQPError) -> Int {
        try perform { () throws(AMQPError) in try connection.purgeQueue(name) }
    }
}
