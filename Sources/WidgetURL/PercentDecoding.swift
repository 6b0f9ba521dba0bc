/// Percent decoding by RFC 3986 section 2.1, strict.
enum PercentDecoding {
    enum Fault: Error {
        /// A percent sign without two hexadecimal digits.
        case broken
        /// Not UTF-8, or a NUL.
        case notText
    }

    static func decode(_ text: some Sequence<UInt8>) throws(Fault) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = digit(rest.popFirst()), let low = digit(rest.popFirst()) else { throw .broken }
            bytes.append(high << 4 | low)
        }
        guard !bytes.contains(0), let decoded = String(validating: bytes, as: UTF8.self) else { throw .notText }
        return decoded
    }

    private static func digit(_ byte: UInt8?) -> UInt8? {
        switch byte {
        case .some(let digit) where UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit: digit - UInt8(ascii: "0")
        case .some(let letter) where UInt8(ascii: "a")...UInt8(ascii: "f") ~= letter | 0x20:
            (letter | 0x20) - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
