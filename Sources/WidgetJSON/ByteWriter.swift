/// Writes bytes into memory that was made large enough beforehand: an array that is appended to asks at every piece
/// whether it is alone and has room. A write beyond the end stops the program.
@safe public struct ByteWriter {
    @usableFromInline let start: UnsafeMutablePointer<UInt8>
    @usableFromInline let capacity: Int
    @usableFromInline var written = 0

    /// Bytes written.
    @inlinable public var count: Int { written }

    @usableFromInline init(_ memory: UnsafeMutableBufferPointer<UInt8>) {
        // Only memory of no bytes has no address, and nothing can be written there.
        unsafe start = memory.baseAddress ?? UnsafeMutablePointer(bitPattern: 1)!
        capacity = memory.count
    }

    /// Room for so many bytes more.
    @inlinable @inline(__always) mutating func take(_ length: Int) -> UnsafeMutablePointer<UInt8> {
        precondition(length <= capacity - written, "more is written than was asked for")
        defer { written += length }
        return unsafe start + written
    }

    @inlinable @inline(__always) public mutating func put(_ byte: UInt8) {
        unsafe take(1).pointee = byte
    }

    @inlinable @inline(__always) public mutating func put(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress else { return }
        unsafe UnsafeMutableRawPointer(take(bytes.count)).copyMemory(from: source, byteCount: bytes.count)
    }

    @inlinable @inline(__always) public mutating func put(_ text: StaticString) {
        text.withUTF8Buffer { unsafe put(UnsafeRawBufferPointer($0)) }
    }

    /// Another name than that for a `StaticString`: a literal would become a `String`, whose references are counted.
    @inlinable @inline(__always) public mutating func put(text: String) {
        unsafe text.withBytes { unsafe put($0) }
    }

    @inlinable @inline(__always) public mutating func put(_ bytes: ArraySlice<UInt8>) {
        unsafe bytes.withUnsafeBytes { unsafe put($0) }
    }

    @inlinable @inline(__always) public mutating func put(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { unsafe put($0) }
    }

    /// The number's lowest byte first.
    @inlinable @inline(__always) public mutating func putBytes(of number: some FixedWidthInteger) {
        unsafe withUnsafeBytes(of: number.littleEndian) { unsafe put($0) }
    }

    /// Writes over bytes that are there already.
    @inlinable public func setBytes(of number: some FixedWidthInteger, at offset: Int) {
        precondition(offset >= 0 && offset + number.bitWidth / 8 <= count, "nothing was written there yet")
        unsafe UnsafeMutableRawPointer(start + offset).storeBytes(of: number.littleEndian, as: type(of: number))
    }

    /// The number in decimal digits.
    public mutating func putDecimal(_ number: Int64) {
        if number < 0 { put(0x2D) }
        let magnitude = number.magnitude
        var length = 1
        var limit: UInt64 = 10
        while length < 19 && magnitude >= limit {
            length += 1
            limit *= 10
        }
        _ = unsafe take(length)
        setDigits(magnitude, count: length, at: written - length)
    }

    @inline(__always) private func setDigits(_ number: UInt64, count: Int, at offset: Int) {
        var rest = number
        var index = offset + count
        while index > offset {
            index -= 1
            unsafe start[index] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }
}

extension [UInt8] {
    /// Appends what `write` writes, at most so many bytes.
    @inlinable public mutating func write(atMost most: Int, _ write: (inout ByteWriter) -> Void) {
        // As much again each time it grows, so that a byte is moved a bounded number of times.
        if capacity - count < most { reserveCapacity(Swift.max(count + most, 2 * capacity)) }
        append(addingCapacity: most) { output in
            unsafe output.withUnsafeMutableBufferPointer { memory, written in
                var writer = unsafe ByteWriter(memory)
                write(&writer)
                written = writer.count
            }
        }
    }
}
