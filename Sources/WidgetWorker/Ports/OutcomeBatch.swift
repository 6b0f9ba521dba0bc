public import WidgetContract
import WidgetJSON

/// Outbound messages, one after the other in one buffer: what is decided is written here once, the store keeps these
/// bytes as they are, and the publisher reads its frames from them.
///
/// Layout of an outcome, integers little-endian: total length (u32), destination (u8), revision (i64), timestamp (i64),
/// the texts of `OutcomeText` in order (u16 length, 0xFFFF for absent, then bytes), body length (u32), body; in an outcome
/// that gathers several updates, how many there were before the newest (u32).
public struct OutcomeBatch: Sendable {
    public private(set) var bytes: [UInt8]
    public private(set) var count: Int
    /// In the order of the outcomes.
    public private(set) var repeatable: [RepeatableFanOut] = []

    public init() {
        bytes = []
        count = 0
    }

    public var isEmpty: Bool { count == 0 }

    /// Makes room for so many bytes.
    mutating func reserve(_ count: Int) {
        bytes.reserveCapacity(count)
    }

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
        bytes.write(atMost: Self.fixedLength + envelope.textLength) { out in
            envelope.head.write(to: &out) { envelope.write(to: &$0) }
            out.putBytes(of: UInt32(0))
        }
        let bodyStart = bytes.count
        writeBody(&bytes)
        set(UInt32(bytes.count - bodyStart), at: bodyStart - 4)
        if envelope.coalesced > 0 {
            bytes.write(atMost: 4) { $0.putBytes(of: UInt32(clamping: envelope.coalesced)) }
        }
        set(UInt32(bytes.count - start), at: start)
        count += 1
    }

    /// Adds an outcome whose length is known beforehand, in one go.
    /// - Parameters:
    ///   - most: bytes that its texts and its body take at most.
    ///   - texts: puts its texts, in the order of `OutcomeText`; what it leaves out is absent.
    mutating func append(
        _ head: OutcomeHead, atMost most: Int, texts: (inout OutcomeTexts) -> Void, body: (inout ByteWriter) -> Void
    ) {
        bytes.write(atMost: Self.fixedLength + 4 + most) { out in
            head.write(to: &out, texts: texts)
            out.putBytes(of: UInt32(0))
            let bodyStart = out.count
            body(&out)
            out.setBytes(of: UInt32(out.count - bodyStart), at: bodyStart - 4)
            if head.coalesced > 0 { out.putBytes(of: UInt32(clamping: head.coalesced)) }
            out.setBytes(of: UInt32(out.count), at: 0)
        }
        count += 1
    }

    /// Notes that the outcome which was added last can be written again.
    mutating func note(_ fanOut: RepeatableFanOut) { repeatable.append(fanOut) }

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

    /// The outcome at an offset of `bytes`; `nil` where none begins.
    public func outcome(at offset: Int) -> Outcome? { Outcome(bytes, at: offset) }

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

/// A fan-out in a batch that a store can write again from the widget's state, and so need not keep beside it.
public struct RepeatableFanOut: Sendable {
    /// Where it stands in the batch's bytes.
    public let place: Range<Int>
    /// The widget's place in `StoreChanges.widgets`. That state is the fan-out's where the revisions are the same.
    public let widget: Int
    public let revision: Int64
    public let changed: ChangedMembers
    /// How many updates before the newest are gathered in it.
    public let coalesced: Int
    /// Whether it has texts that its state does not tell.
    public let tellsMore: Bool
}

/// An outcome in a batch, for reading: slices of the batch's buffer.
public struct Outcome: Sendable {
    static let absentNumber = Int64.min

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

extension OutcomeBatch: Equatable {
    /// Whether they publish the same.
    public static func == (left: OutcomeBatch, right: OutcomeBatch) -> Bool { left.bytes == right.bytes }
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
