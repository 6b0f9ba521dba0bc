import WidgetWorker

/// Fingerprints as the database holds them: 16 bytes each, high half first, each half little-endian.
extension Fingerprint {
    static let storedLength = 16

    /// Reads a run of fingerprints; `nil` when the length does not fit.
    static func stored(_ bytes: [UInt8]) -> [Fingerprint]? {
        guard bytes.count % storedLength == 0 else { return nil }
        return unsafe bytes.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: storedLength).map { unsafe Fingerprint(stored: bytes, at: $0) }
        }
    }

    init(stored bytes: UnsafeRawBufferPointer, at offset: Int) {
        self.init(
            high: UInt64(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)),
            low: UInt64(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)))
    }

    /// Lends the stored form.
    func withStoredBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try unsafe withUnsafeBytes(of: (high.littleEndian, low.littleEndian)) { try unsafe body($0) }
    }
}

extension [Fingerprint] {
    /// The stored form of all, in order.
    var storedBytes: [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: count * Fingerprint.storedLength) { buffer, filled in
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            for (index, fingerprint) in enumerated() {
                let offset = index * Fingerprint.storedLength
                unsafe bytes.storeBytes(of: fingerprint.high.littleEndian, toByteOffset: offset, as: UInt64.self)
                unsafe bytes.storeBytes(of: fingerprint.low.littleEndian, toByteOffset: offset + 8, as: UInt64.self)
            }
            filled = count * Fingerprint.storedLength
        }
    }
}
