/// RFC 4648 section 4.
public enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    public static func encode(_ bytes: ArraySlice<UInt8>) -> String {
        var out: [UInt8] = []
        out.reserveCapacity((bytes.count + 2) / 3 * 4)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let group = bytes[index..<min(index + 3, bytes.endIndex)]
            var word: UInt32 = 0
            for offset in 0..<3 {
                word = word << 8 | (offset < group.count ? UInt32(group[group.startIndex + offset]) : 0)
            }
            for place in 0..<4 {
                out.append(place <= group.count ? alphabet[Int(word >> UInt32(18 - 6 * place) & 63)] : 0x3D)
            }
            index += 3
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// - Returns: `nil` for a text that is no base64 with its padding.
    public static func decode(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var word: UInt32 = 0
        var count = 0
        var padding = 0
        for byte in text.utf8 {
            count += 1
            word <<= 6
            if byte == 0x3D {
                padding += 1
            } else {
                guard padding == 0, let value = alphabet.firstIndex(of: byte) else { return nil }
                word |= UInt32(value)
            }
            guard count % 4 == 0 else { continue }
            guard padding <= 2 else { return nil }
            for place in 0..<(3 - padding) { bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(16 - 8 * place))) }
            word = 0
        }
        return count % 4 == 0 ? bytes : nil
    }
}
