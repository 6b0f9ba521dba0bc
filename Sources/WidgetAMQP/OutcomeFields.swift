internal import CAMQPShim
internal import WidgetWorker

/// The fields of an outcome as pointers into its batch, by the layout that `OutcomeBatch` describes: nothing is copied
/// and nothing allocated on the way to the broker.
@safe struct OutcomeFields {
    let destination: OutcomeDestination
    let revision: Int64?
    let timestamp: Int64?
    let routingKey: camqp_bytes
    let type: camqp_bytes
    let messageID: camqp_bytes
    let correlationID: camqp_bytes
    let account: camqp_bytes
    let slug: camqp_bytes
    let template: camqp_bytes
    let code: camqp_bytes
    let minAppVersion: camqp_bytes
    let traceparent: camqp_bytes
    let tracestate: camqp_bytes
    let body: camqp_bytes
    /// How many updates before the newest are gathered in it.
    let coalesced: Int

    private static let absent = Int64.min

    /// The length of the outcome at `offset`; `nil` behind the last.
    static func length(in bytes: [UInt8], at offset: Int) -> Int? {
        guard offset + 4 <= bytes.count else { return nil }
        let length = unsafe bytes.withUnsafeBytes { bytes in
            Int(UInt32(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
        }
        return length > 4 && offset + length <= bytes.count ? length : nil
    }

    /// `OutcomeBatch` has checked that the lengths fit when the bytes came from a store, and wrote them otherwise.
    init(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) {
        var reader = unsafe Reader(
            rest: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[offset...]))
        let length = unsafe Int(reader.integer(UInt32.self))
        unsafe reader.cut(to: length - 4)
        destination = OutcomeDestination(rawValue: unsafe reader.integer(UInt8.self)) ?? .rejected
        let (revision, timestamp) = unsafe (reader.integer(Int64.self), reader.integer(Int64.self))
        self.revision = revision == Self.absent ? nil : revision
        self.timestamp = timestamp == Self.absent ? nil : timestamp
        unsafe routingKey = unsafe reader.text()
        unsafe type = unsafe reader.text()
        unsafe messageID = unsafe reader.text()
        unsafe correlationID = unsafe reader.text()
        unsafe account = unsafe reader.text()
        unsafe slug = unsafe reader.text()
        unsafe template = unsafe reader.text()
        unsafe code = unsafe reader.text()
        unsafe minAppVersion = unsafe reader.text()
        unsafe traceparent = unsafe reader.text()
        unsafe tracestate = unsafe reader.text()
        unsafe body = unsafe reader.bytes(Int(reader.integer(UInt32.self)))
        coalesced = unsafe Int(reader.integer(UInt32.self))
    }

    @unsafe private struct Reader {
        var rest: UnsafeRawBufferPointer

        mutating func cut(to count: Int) {
            unsafe rest = unsafe UnsafeRawBufferPointer(rebasing: rest.prefix(max(0, count)))
        }

        mutating func integer<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type) -> Number {
            let size = MemoryLayout<Number>.size
            guard unsafe rest.count >= size else { return 0 }
            defer { unsafe rest = unsafe UnsafeRawBufferPointer(rebasing: rest[size...]) }
            return unsafe Number(littleEndian: rest.loadUnaligned(as: Number.self))
        }

        mutating func text() -> camqp_bytes {
            let count = unsafe integer(UInt16.self)
            return unsafe count == 0xFFFF ? camqp_bytes() : bytes(Int(count))
        }

        mutating func bytes(_ wanted: Int) -> camqp_bytes {
            let count = unsafe min(wanted, rest.count)
            defer { unsafe rest = unsafe UnsafeRawBufferPointer(rebasing: rest[count...]) }
            return unsafe camqp_bytes(
                start: rest.baseAddress?.assumingMemoryBound(to: UInt8.self), count: count)
        }
    }
}
