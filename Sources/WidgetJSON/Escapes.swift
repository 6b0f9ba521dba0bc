/// The escapes of RFC 8259 section 7 in the form that documents keep: only for what must be escaped.
enum Escapes {
    private static let short: [UInt8: UInt8] = [
        0x62: 0x08, 0x66: 0x0C, 0x6E: 0x0A, 0x72: 0x0D, 0x74: 0x09,
    ]

    /// The bytes that a document's string text stands for.
    static func read(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var index = text.startIndex
        while index < text.endIndex {
            guard text[index] == 0x5C else {
                bytes.append(text[index])
                index += 1
                continue
            }
            let escape = text[index + 1]
            index += 2
            if escape == 0x75 {
                // A document keeps \u only for control characters: \u00xx.
                bytes.append(digit(text[index + 2]) << 4 | digit(text[index + 3]))
                index += 4
            } else {
                bytes.append(short[escape] ?? escape)
            }
        }
        return bytes
    }

    private static func digit(_ byte: UInt8) -> UInt8 { byte < 0x3A ? byte - 0x30 : byte - 0x57 }

    /// Whether a string of these bytes cannot stand as it is.
    static func areNeeded(in bytes: ArraySlice<UInt8>) -> Bool {
        bytes.contains { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }
    }

    /// Appends the text of these UTF-8 bytes, without quotes.
    /// - Returns: whether anything had to be escaped.
    @discardableResult
    static func write(_ bytes: some Sequence<UInt8>, to text: inout [UInt8]) -> Bool {
        var isEscaped = false
        for byte in bytes {
            guard byte < 0x20 || byte == 0x22 || byte == 0x5C else {
                text.append(byte)
                continue
            }
            isEscaped = true
            text.append(0x5C)
            switch byte {
            case 0x22, 0x5C: text.append(byte)
            case 0x08: text.append(0x62)
            case 0x0C: text.append(0x66)
            case 0x0A: text.append(0x6E)
            case 0x0D: text.append(0x72)
            case 0x09: text.append(0x74)
            default:
                let digits = Array("0123456789abcdef".utf8)
                text += [0x75, 0x30, 0x30, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return isEscaped
    }
}
