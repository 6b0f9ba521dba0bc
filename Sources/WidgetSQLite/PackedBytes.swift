import WidgetWorker

/// Writes one value behind the other, integers little-endian, into bytes that were made large enough.
@unsafe struct PackedWriter {
    private var place: UnsafeMutableRawBufferPointer

    /// Bytes of this length, filled by `fill`.
    static func bytes(_ length: Int, _ fill: (inout PackedWriter) -> Void) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: length) { buffer, filled in
            var writer = unsafe PackedWriter(place: UnsafeMutableRawBufferPointer(buffer))
            unsafe fill(&writer)
            filled = length
        }
    }

    mutating func put<Number: FixedWidthInteger & BitwiseCopyable>(_ number: Number) {
        unsafe place.storeBytes(of: number.littleEndian, as: Number.self)
        unsafe move(MemoryLayout<Number>.size)
    }

    mutating func put(_ bytes: [UInt8]) {
        unsafe place.copyBytes(from: bytes)
        unsafe move(bytes.count)
    }

    mutating func put(_ text: String) {
        let count = text.utf8.count
        unsafe text.withUTF8Bytes { unsafe place.copyMemory(from: UnsafeRawBufferPointer($0)) }
        unsafe move(count)
    }

    private mutating func move(_ count: Int) {
        unsafe place = unsafe UnsafeMutableRawBufferPointer(rebasing: place[count...])
    }
}

/// Reads what a `PackedWriter` wrote.
struct PackedReader {
    private(set) var rest: ArraySlice<UInt8>
    /// Thrown when there is less than is read.
    let damage: StoreError

    init(_ bytes: ArraySlice<UInt8>, damage: StoreError) {
        rest = bytes
        self.damage = damage
    }

    mutating func take(_ count: Int) throws -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw damage }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func text(_ count: Int) throws -> String { String(decoding: try take(count), as: UTF8.self) }

    mutating func integer<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type) throws -> Number {
        let bytes = try take(MemoryLayout<Number>.size)
        return unsafe bytes.withUnsafeBytes { unsafe Number(littleEndian: $0.loadUnaligned(as: Number.self)) }
    }
}
