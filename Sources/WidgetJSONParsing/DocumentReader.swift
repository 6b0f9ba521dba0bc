internal import CSimdJSONShim
public import WidgetJSON

/// Reads JSON by RFC 8259 to the letter, one text after the other with the same memory. One thread at a time uses it.
@safe public final class DocumentReader {
    private let reader: OpaquePointer
    private let buffer = DocumentBuffer()

    public init() {
        guard let reader = unsafe simdjson_shim_reader_new() else { preconditionFailure("out of memory") }
        unsafe self.reader = reader
    }

    deinit {
        unsafe simdjson_shim_reader_free(reader)
    }

    /// Reads one value into `buffer`; on a fault that is unchanged.
    /// - Parameters:
    ///   - depth: how many arrays and objects may stand inside each other, at most 64.
    ///   - refusingDuplicateNames: RFC 8259 leaves a repeated member name open; here it is a fault unless allowed.
    public func read(
        _ bytes: [UInt8], into buffer: DocumentBuffer, depth: Int = 32, refusingDuplicateNames: Bool = true
    ) throws(JSONFault) {
        let result = unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe simdjson_shim_read(
                reader, bytes.baseAddress, bytes.count, UInt32(depth), refusingDuplicateNames ? 1 : 0)
        }
        if let reason = unsafe JSONFault.Reason(result.status) {
            throw unsafe JSONFault(reason: reason, offset: result.offset)
        }
        unsafe result.nodes.withMemoryRebound(to: Node.self, capacity: result.node_count) { nodes in
            unsafe buffer.copy(
                text: UnsafeBufferPointer(start: result.text, count: result.text_length),
                nodes: UnsafeBufferPointer(start: nodes, count: result.node_count))
        }
    }

    /// Reads one value.
    public func read(
        _ bytes: [UInt8], depth: Int = 32, refusingDuplicateNames: Bool = true
    ) throws(JSONFault) -> Document {
        try read(bytes, into: buffer, depth: depth, refusingDuplicateNames: refusingDuplicateNames)
        return buffer.document
    }
}
