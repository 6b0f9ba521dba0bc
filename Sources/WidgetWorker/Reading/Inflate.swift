internal import CZlib

/// gzip (RFC 1952), read up to a limit.
enum Inflate {
    enum Fault: Error {
        /// More than the limit came out; nothing beyond it was kept.
        case tooLarge
        /// No gzip, damaged, or cut short.
        case damaged
    }

    static func gzip(_ bytes: [UInt8], limit: Int) throws(Fault) -> [UInt8] {
        var stream = unsafe z_stream()
        guard unsafe zlib_inflate_init_gzip(&stream) == Z_OK else { throw .damaged }
        defer { _ = unsafe inflateEnd(&stream) }
        // One byte more than the limit tells a body of exactly that size from a larger one.
        var result = [UInt8](repeating: 0, count: min(limit + 1, max(4096, bytes.count * 4)))
        var written = 0
        var status = Z_OK
        var input = bytes
        unsafe input.withUnsafeMutableBufferPointer { buffer in
            unsafe stream.next_in = buffer.baseAddress
            unsafe stream.avail_in = UInt32(buffer.count)
            while status == Z_OK && written <= limit {
                if written == result.count {
                    result.append(contentsOf: repeatElement(0, count: min(result.count, limit + 1 - result.count)))
                }
                let free = result.count - written
                unsafe result.withUnsafeMutableBufferPointer { output in
                    unsafe stream.next_out = output.baseAddress! + written
                    unsafe stream.avail_out = UInt32(free)
                    status = unsafe inflate(&stream, Z_NO_FLUSH)
                }
                unsafe written += free - Int(stream.avail_out)
            }
        }
        guard written <= limit else { throw .tooLarge }
        guard status == Z_STREAM_END, unsafe stream.avail_in == 0 else { throw .damaged }
        result.removeLast(result.count - written)
        return result
    }
}
