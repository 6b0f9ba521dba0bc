internal import Glibc

/// How an exchange or a queue stands to what is wanted.
public struct TopologyFinding: Sendable {
    public enum State: Sendable {
        case asWanted
        case missing
        /// Of another kind, or with other arguments.
        case different
        /// The user may not declare it, so its arguments cannot be compared.
        case notComparable
    }

    /// What is wanted, for people.
    public let wanted: String
    public let state: State
    /// What was wanted, what the broker says, what to do; empty where all is well.
    public let words: String
}

/// What a user lacks for the worker's work.
public struct MissingPermission: Sendable {
    public enum Access: String, Sendable {
        case read, write
    }

    public let access: Access
    /// The exchange or queue.
    public let resource: String
    /// What the worker does with it.
    public let purpose: String
}

/// Looking, without creating, changing or consuming.
extension AMQPClient {
    /// Compares all exchanges and queues; bindings cannot be looked at over AMQP.
    ///
    /// What is there is declared once more, as wanted: that changes nothing, and is the one way in which the broker
    /// tells of differing arguments (AMQP 0-9-1 section 1.7.2.1, `precondition-failed`). Where the broker does not know
    /// the exchange for shards, it may end the connection over it: that finding is the last one then.
    public func inspect(_ topology: Topology) throws(AMQPError) -> [TopologyFinding] {
        var findings: [TopologyFinding] = []
        if let conflict = try connection.otherShards(than: topology) {
            findings.append(TopologyFinding(wanted: "no other shards", state: .different, words: conflict.description))
        }
        forgetChannel()
        for declaration in topology.outbound + topology.inbound where !declaration.isBinding {
            findings.append(try inspect(declaration))
            guard connection.hasChannel else { break }
        }
        return findings
    }

    private func inspect(_ declaration: Declaration) throws(AMQPError) -> TopologyFinding {
        var state = TopologyFinding.State.asWanted
        var words = ""
        do {
            try perform { () throws(AMQPError) in try connection.declare([declaration], .check) }
            try perform { () throws(AMQPError) in try connection.declare([declaration], .create) }
        } catch {
            let error = error.code == 404 ? unknownType(declaration) ?? error : error
            guard connection.hasChannel || error.isUnknownExchangeType, let found = TopologyFinding.State(error) else {
                throw error
            }
            state = found
            words = error.description
        }
        return TopologyFinding(wanted: declaration.description, state: state, words: words)
    }

    /// The broker's refusal of the type of an exchange that is not there.
    ///
    /// RabbitMQ looks at the type before the name, and at the name before it declares anything: the default exchange,
    /// whose name is empty, is nobody's to declare.
    private func unknownType(_ declaration: Declaration) -> AMQPError? {
        guard case .exchange(_, let type) = declaration else { return nil }
        do {
            try perform { () throws(AMQPError) in try connection.declareExchange("", type: type, passive: false) }
            return nil
        } catch {
            return error.isUnknownExchangeType ? error.explained(declaration, .create) : nil
        }
    }

    /// What the user may not do, of publishing outcomes and consuming updates.
    ///
    /// RabbitMQ asks for write permission on the queue and read permission on the exchange of an unbinding before it
    /// looks whether either is there, and goes by their names alone: so unbinding what was never bound tells of both.
    public func missingPermissions(for topology: Topology) throws(AMQPError) -> [MissingPermission] {
        var missing: [MissingPermission] = []
        var writable: String?
        let written = [
            (topology.acceptedExchange, "publish accepted widgets"), (topology.rejectedExchange, "publish rejections"),
            // The name by which permissions know the exchange that has none.
            ("amq.default", "send receipts"),
        ]
        for (exchange, purpose) in written {
            if try isRefused("queue", write: exchange, read: exchange) {
                missing.append(MissingPermission(access: .write, resource: exchange, purpose: purpose))
            } else {
                writable = exchange
            }
        }
        // The write permission is asked for first: without any nothing can be told of reading.
        guard let writable else { return missing }
        for queue in topology.consumedQueues where try isRefused("exchange", write: writable, read: queue) {
            missing.append(MissingPermission(access: .read, resource: queue, purpose: "consume updates"))
        }
        return missing
    }

    /// Whether the broker refuses access to the unbinding's queue, or to its exchange.
    private func isRefused(_ kind: String, write queue: String, read exchange: String) throws(AMQPError) -> Bool {
        do {
            try unbindQueue(queue, from: exchange, key: "widgetd.check.\(MonotonicClock.milliseconds)")
            return false
        } catch {
            guard connection.hasChannel else { throw error }
            return error.code == 403 && error.description.contains("to \(kind) '")
        }
    }

    /// Whole days until the first of the broker's certificates ends; negative for one that has ended. `nil` without TLS,
    /// or where the TLS library does not tell.
    public var certificateDays: Int? { connection.certificateEnds.broker.map(Self.days) }

    /// The same of our own certificate; `nil` without one.
    public var ownCertificateDays: Int? { connection.certificateEnds.client.map(Self.days) }

    private static func days(until end: Int64) -> Int {
        Int((Double(end - Int64(time(nil))) / 86_400).rounded(.down))
    }
}

extension Declaration {
    fileprivate var isBinding: Bool {
        switch self {
        case .exchange, .queue: false
        case .binding, .exchangeBinding: true
        }
    }
}

extension TopologyFinding.State {
    /// From the broker's answer to a declaration; `nil` for what says nothing of what is declared.
    fileprivate init?(_ error: AMQPError) {
        switch error.code {
        case _ where error.isUnknownExchangeType: self = .different
        case 404: self = .missing
        case 406: self = .different
        case 403, 405: self = .notComparable
        default: return nil
        }
    }
}
