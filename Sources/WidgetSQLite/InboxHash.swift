import WidgetWorker

/// Hashes of inbox keys: the same for a database for ever, since they are stored, and other ones in each database, so
/// that nobody can make ids that meet.
struct InboxHash {
    static let seedLength = 16

    private let start: UInt64
    private let factor: UInt64

    /// - Parameter seed: 16 random bytes of the database.
    init?(seed: [UInt8]) {
        guard seed.count == Self.seedLength else { return nil }
        (start, factor) = unsafe seed.withUnsafeBytes { seed in
            unsafe (
                seed.loadUnaligned(fromByteOffset: 0, as: UInt64.self).littleEndian,
                seed.loadUnaligned(fromByteOffset: 8, as: UInt64.self).littleEndian | 1
            )
        }
    }

    func callAsFunction(_ key: InboxKey) -> UInt64 {
        var hash = start
        unsafe key.messageID.withUnsafeBytes { unsafe add($0, to: &hash) }
        unsafe key.account.withUTF8Bytes { unsafe add(UnsafeRawBufferPointer($0), to: &hash) }
        return hash
    }

    /// Multiply and fold, eight bytes at a time; the length keeps `ab` in `c` and `a` in `bc` apart.
    private func add(_ bytes: UnsafeRawBufferPointer, to hash: inout UInt64) {
        var offset = 0
        while offset + 8 <= bytes.count {
            fold(unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian, into: &hash)
            offset += 8
        }
        var rest: UInt64 = 0
        while offset < bytes.count {
            rest = unsafe rest << 8 | UInt64(bytes[offset])
            offset += 1
        }
        fold(rest, into: &hash)
        fold(UInt64(bytes.count), into: &hash)
    }

    private func fold(_ word: UInt64, into hash: inout UInt64) {
        let product = (hash ^ word &+ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: factor)
        hash = product.high ^ product.low
    }
}
