/// Outbound messages, one after the other in one buffer: what is decided is written here once, the store keeps these
/// bytes as they are, and the publisher reads its frames from them.
///
/// Layout of an outcome, integers little-endian: total length (u32), destination (u8), revision (i64), timestamp (i64),
/// the texts of `OutcomeText` in order (u16 length, 0xFFFF for absent, then bytes), body length (u32), body; in an outcome
/// that gathers several updates, how many there were before the newest (u32).
public struct OutcomeBatch: Sendable, Equatable {
    public private(set) var bytes: [UInt8]
    public private(set) var count: Int

    public init() {
        bytes = []
        count = 0
    }

    public var isEmpty: Bool { count == 0 }

    /// Reads a stored batch.
    /// - Throws: `StoreError` when the bytes are no batch.
    public init(stored bytes: [UInt8]) throws {
        self.bytes = bytes
        count = 0
        var offset = 0
        while offset < bytes.count {
            guard offset + 4 <= bytes.count else { throw Self.damaged }
            let length = Int(Self.integer(in: bytes, at: offset, as: UInt32.self))
            guard length >= Self.fixedLength, offset + length <= bytes.count else { throw Self.damaged }
            guard Outcome(bytes, at: offset) != nil else { throw Self.damaged }
            offset += length
            count += 1
        }
    }

    private static let damaged = StoreError("an outbox entry is damaged: its length does not fit", isTransient: false)
    fileprivate static let fixedLength = 4 + 1 + 8 + 8 + 2 * OutcomeText.allCases.count + 4

    /// Adds an outcome; `writeBody` appends the body's bytes.
    public mutating func append(_ envelope: OutcomeEnvelope, writeBody: (inout [UInt8]) -> Void) {
        let start = bytes.count
        put(UInt32(0))
        bytes.append(envelope.destination.rawValue)
        put(envelope.revision ?? Outcome.absentNumber)
        put(envelope.timestamp ?? Outcome.absentNumber)
        for text in OutcomeText.allCases {
            put(envelope, text)
        }
        let lengthAt = bytes.count
        put(UInt32(0))
        let bodyStart = bytes.count
        writeBody(&bytes)
        set(UInt32(bytes.count - bodyStart), at: lengthAt)
        if envelope.coalesced > 0 { put(UInt32(clamping: envelope.coalesced)) }
        set(UInt32(bytes.count - start), at: start)
        count += 1
    }

    /// Adds an outcome of another batch as it is.
    public mutating func append(_ outcome: Outcome) {
        bytes.append(contentsOf: outcome.whole)
        count += 1
    }

    /// The outcomes in order.
    public func visit(_ visit: (Outcome) throws -> Void) rethrows {
        var offset = 0
        while offset < bytes.count, let outcome = Outcome(bytes, at: offset) {
            try visit(outcome)
            offset += outcome.whole.count
        }
    }

    /// The bodies of the outcomes to one destination; the others are stepped over.
    public func visitBodies(to destination: OutcomeDestination, _ visit: (ArraySlice<UInt8>) -> Void) {
        var offset = 0
        while offset < bytes.count {
            if bytes[offset + 4] == destination.rawValue, let outcome = Outcome(bytes, at: offset) {
                visit(outcome.body)
            }
            offset += Int(Self.integer(in: bytes, at: offset, as: UInt32.self))
        }
    }

    private mutating func put(_ envelope: OutcomeEnvelope, _ text: OutcomeText) {
        switch text {
        case .routingKey: put(envelope.routingKey)
        case .type: put(envelope.type?.utf8)
        case .messageID: put(envelope.messageID)
        case .correlationID: put(envelope.correlationID)
        case .account: put(envelope.account?.utf8)
        case .slug: put(envelope.slug?.utf8)
        case .template: put(envelope.template?.utf8)
        case .code: put(envelope.code?.utf8)
        case .minAppVersion: put(envelope.minAppVersion?.utf8)
        case .traceparent: put(envelope.traceparent?.utf8)
        case .tracestate: put(envelope.tracestate?.utf8)
        }
    }

    private mutating func put(_ text: (some Collection<UInt8>)?) {
        guard let text, text.count < 0xFFFF else { return put(UInt16(0xFFFF)) }
        put(UInt16(text.count))
        bytes.append(contentsOf: text)
    }

    private mutating func put<Number: FixedWidthInteger>(_ number: Number) {
        for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> Number(shift)))
        }
    }

    private mutating func set(_ number: UInt32, at offset: Int) {
        for index in 0..<4 {
            bytes[offset + index] = UInt8(truncatingIfNeeded: number >> UInt32(8 * index))
        }
    }

    fileprivate static func integer<Number: FixedWidthInteger>(
        in bytes: [UInt8], at offset: Int, as type: Number.Type
    ) -> Number {
        var number: Number = 0
        for index in 0..<(Number.bitWidth / 8) {
            number |= Number(truncatingIfNeeded: bytes[offset + index]) << Number(8 * index)
        }
        return number
    }
}

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

/// An outcome in a batch, for reading: slices of the batch's buffer.
public struct Outcome: Sendable {
    fileprivate static let absentNumber = Int64.min

    /// The outcome's bytes with all its fields.
    public let whole: ArraySlice<UInt8>
    public let destination: OutcomeDestination
    public let revision: Int64?
    /// Seconds since 1970.
    public let timestamp: Int64?
    public let body: ArraySlice<UInt8>
    /// How many updates before the newest are gathered in it.
    public let coalesced: Int
    private let textsStart: Int

    fileprivate init?(_ bytes: [UInt8], at offset: Int) {
        let length = Int(OutcomeBatch.integer(in: bytes, at: offset, as: UInt32.self))
        guard let destination = OutcomeDestination(rawValue: bytes[offset + 4]) else { return nil }
        self.destination = destination
        let revision = OutcomeBatch.integer(in: bytes, at: offset + 5, as: Int64.self)
        let timestamp = OutcomeBatch.integer(in: bytes, at: offset + 13, as: Int64.self)
        self.revision = revision == Self.absentNumber ? nil : revision
        self.timestamp = timestamp == Self.absentNumber ? nil : timestamp
        textsStart = offset + 21
        whole = bytes[offset..<offset + length]
        var position = textsStart
        for _ in OutcomeText.allCases {
            guard position + 2 <= whole.endIndex else { return nil }
            let count = OutcomeBatch.integer(in: bytes, at: position, as: UInt16.self)
            position += 2 + (count == 0xFFFF ? 0 : Int(count))
        }
        guard position + 4 <= whole.endIndex else { return nil }
        let bodyLength = Int(OutcomeBatch.integer(in: bytes, at: position, as: UInt32.self))
        let end = position + 4 + bodyLength
        guard end == whole.endIndex || end + 4 == whole.endIndex else { return nil }
        body = whole[(position + 4)..<end]
        coalesced = end == whole.endIndex ? 0 : Int(OutcomeBatch.integer(in: bytes, at: end, as: UInt32.self))
    }

    /// The text's bytes, `nil` when absent.
    public subscript(wanted: OutcomeText) -> ArraySlice<UInt8>? {
        var position = textsStart
        for text in OutcomeText.allCases {
            let count = Int(whole[position]) | Int(whole[position + 1]) << 8
            position += 2
            if text == wanted { return count == 0xFFFF ? nil : whole[position..<position + count] }
            if count != 0xFFFF { position += count }
        }
        return nil
    }
}

extension OutcomeBatch {
    /// The outcomes at these positions, in order.
    func picking(_ positions: [Int]) -> OutcomeBatch {
        var picked = OutcomeBatch()
        var position = 0
        let wanted = Set(positions)
        visit { outcome in
            if wanted.contains(position) { picked.append(outcome) }
            position += 1
        }
        return picked
    }
}
