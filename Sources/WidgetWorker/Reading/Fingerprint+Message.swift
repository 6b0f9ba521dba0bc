import WidgetJSON

extension Fingerprint {
    /// Of what must be the same in a repeat: type, address as the envelope gives it, body bytes.
    ///
    /// Two streams of multiply-and-fold, stable across processes, since fingerprints are stored. It tells repeats from
    /// accidents and is no defence against somebody who forges a repeat of his own message.
    init(type: String, account: String?, slug: String?, body: [UInt8]) {
        var mixer = Mixer()
        mixer.add(type)
        mixer.add(account ?? "\u{0}")
        mixer.add(slug ?? "\u{0}")
        unsafe body.withUnsafeBytes { unsafe mixer.add($0) }
        self = mixer.fingerprint
    }

    private struct Mixer {
        private var one: UInt64 = 0x9E37_79B9_7F4A_7C15
        private var two: UInt64 = 0xC2B2_AE3D_27D4_EB4F

        @inline(__always) mutating func add(_ text: String) {
            unsafe text.withBytes { unsafe add($0) }
        }

        mutating func add(_ bytes: UnsafeRawBufferPointer) {
            var offset = 0
            while offset &+ 8 <= bytes.count {
                unsafe add(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                offset &+= 8
            }
            add(unsafe Self.rest(of: bytes, from: offset))
            add(UInt64(bytes.count))
        }

        /// The bytes behind the whole words, the last one lowest.
        @inline(__always) private static func rest(of bytes: UnsafeRawBufferPointer, from offset: Int) -> UInt64 {
            let count = bytes.count &- offset
            let bits = UInt64(truncatingIfNeeded: 8 &* count)
            if offset > 0 {
                return unsafe bytes.loadUnaligned(fromByteOffset: bytes.count &- 8, as: UInt64.self).bigEndian
                    & ((1 &<< bits) &- 1)
            }
            guard count >= 4 else { return unsafe bytes.reduce(0) { $0 &<< 8 | UInt64($1) } }
            // Two words of four bytes that overlap.
            let first = unsafe UInt64(bytes.loadUnaligned(as: UInt32.self).bigEndian)
            let last = unsafe UInt64(bytes.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self).bigEndian)
            return first &<< (bits &- 32) | last
        }

        @inline(__always) private mutating func add(_ word: UInt64) {
            one = Self.fold(one ^ word, 0xA076_1D64_78BD_642F)
            two = Self.fold(two &+ word, 0xE703_7ED1_A0B4_28DB)
        }

        @inline(__always) private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
            let product = left.multipliedFullWidth(by: right)
            return product.high ^ product.low
        }

        var fingerprint: Fingerprint {
            Fingerprint(high: Self.fold(one ^ two, 0x8EBC_6AF0_9C88_C6E3), low: Self.fold(two, one | 1))
        }
    }
}
