/// gzip (RFC 1952) around deflate's plainest forms, so that tests need no compressor.
public enum Gzip {
    /// Stored blocks: the bytes as they are.
    public static func stored(_ text: String) -> [UInt8] { stored(Array(text.utf8)) }

    public static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var deflated: [UInt8] = []
        var start = 0
        repeat {
            let end = min(start + 65_535, bytes.count)
            let count = end - start
            deflated += [end == bytes.count ? 1 : 0]
            deflated += [UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255), UInt8(~count >> 8 & 255)]
            deflated += bytes[start..<end]
            start = end
        } while start < bytes.count
        return framed(deflated, checksum: checksum(bytes), count: bytes.count)
    }

    /// So many zero bytes, and a little more, in about a thousandth of the space: fixed Huffman codes, a literal and
    /// then matches of length 258 at distance 1.
    public static func bomb(atLeast count: Int) -> [UInt8] {
        var bits = Bits()
        bits.put(1, 1)
        bits.put(1, 2)
        bits.putReversed(0x30, 8)
        for _ in 0...(count / 258) {
            // Symbol 285 (length 258, no extra bits), then distance code 0 (distance 1).
            bits.putReversed(0b1100_0101, 8)
            bits.putReversed(0, 5)
        }
        bits.putReversed(0, 7)
        return framed(bits.bytes, checksum: 0, count: 0)
    }

    private static func framed(_ deflated: [UInt8], checksum: UInt32, count: Int) -> [UInt8] {
        [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255] + deflated + word(checksum) + word(UInt32(truncatingIfNeeded: count))
    }

    private static func word(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }

    private struct Bits {
        private(set) var bytes: [UInt8] = []
        private var free = 0

        mutating func put(_ value: UInt32, _ count: Int) {
            for place in 0..<count { putBit(value >> UInt32(place) & 1) }
        }

        /// Huffman codes go out from their highest bit.
        mutating func putReversed(_ value: UInt32, _ count: Int) {
            for place in (0..<count).reversed() { putBit(value >> UInt32(place) & 1) }
        }

        private mutating func putBit(_ bit: UInt32) {
            if free == 0 {
                bytes.append(0)
                free = 8
            }
            bytes[bytes.count - 1] |= UInt8(bit) << UInt8(8 - free)
            free -= 1
        }
    }
}
