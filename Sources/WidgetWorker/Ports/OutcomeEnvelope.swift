import WidgetJSON

/// The texts of an outcome, in the order in which a batch holds them.
public enum OutcomeText: Int, CaseIterable, Sendable {
    case routingKey, type, messageID, correlationID
    case account, slug, template, code, minAppVersion, traceparent, tracestate
}

/// Where an outcome is published.
public enum OutcomeDestination: UInt8, Sendable {
    /// The exchange of accepted content and deletions.
    case accepted = 0
    /// The exchange of rejections.
    case rejected = 1
    /// The default exchange; the routing key is the sender's reply queue.
    case reply = 2
}

/// All of an outcome but its body, for writing.
public struct OutcomeEnvelope {
    public var destination: OutcomeDestination
    public var routingKey: [UInt8]
    public var type: String?
    public var messageID: [UInt8]?
    public var correlationID: [UInt8]?
    public var revision: Int64?
    /// How many updates before the newest are gathered in it.
    public var coalesced = 0
    /// Seconds since 1970.
    public var timestamp: Int64?
    public var account: String?
    public var slug: String?
    public var template: String?
    public var code: String?
    public var minAppVersion: String?
    public var traceparent: String?
    public var tracestate: String?

    public init(destination: OutcomeDestination, routingKey: [UInt8]) {
        self.destination = destination
        self.routingKey = routingKey
    }

    public init(destination: OutcomeDestination, routingKey: String) {
        self.init(destination: destination, routingKey: Array(routingKey.utf8))
    }
}

extension OutcomeEnvelope {
    var head: OutcomeHead {
        OutcomeHead(destination: destination, revision: revision, timestamp: timestamp, coalesced: coalesced)
    }

    func write(to texts: inout OutcomeTexts) {
        texts.put(.routingKey, routingKey)
        texts.put(.type, type)
        texts.put(.messageID, messageID)
        texts.put(.correlationID, correlationID)
        texts.put(.account, account)
        texts.put(.slug, slug)
        texts.put(.template, template)
        texts.put(.code, code)
        texts.put(.minAppVersion, minAppVersion)
        texts.put(.traceparent, traceparent)
        texts.put(.tracestate, tracestate)
    }

    /// Bytes of all texts.
    var textLength: Int {
        let texts = [type, account, slug, template, code, minAppVersion, traceparent, tracestate]
        return [routingKey, messageID, correlationID].reduce(0) { $0 + ($1?.count ?? 0) }
            + texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    }
}
