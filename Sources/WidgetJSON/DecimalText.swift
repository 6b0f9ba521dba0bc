/// A JSON number as sign, significant digits and exponent, exactly as its text says and however it is written.
public struct DecimalText: Equatable, Sendable {
    /// Never of zero.
    public let isNegative: Bool
    /// ASCII digits without zeros at either end; empty for zero.
    public let digits: [UInt8]
    /// Of the last digit; far exponents are cut to the range of `Int32`.
    public let exponent: Int

    public init(_ text: ArraySlice<UInt8>) {
        var digits: [UInt8] = []
        var exponent = 0
        var isBehindPoint = false
        var index = text.startIndex
        while index < text.endIndex, text[index] | 0x20 != 0x65 {
            switch text[index] {
            case 0x2E: isBehindPoint = true
            case 0x30...0x39:
                if !digits.isEmpty || text[index] != 0x30 { digits.append(text[index]) }
                if isBehindPoint { exponent -= 1 }
            default: break
            }
            index += 1
        }
        if index < text.endIndex { exponent += Self.exponent(text[(index + 1)...]) }
        while digits.last == 0x30 {
            digits.removeLast()
            exponent += 1
        }
        isNegative = text.first == 0x2D && !digits.isEmpty
        self.digits = digits
        self.exponent = digits.isEmpty ? 0 : exponent
    }

    private static func exponent(_ text: ArraySlice<UInt8>) -> Int {
        var value = 0
        for byte in text where byte >= 0x30 && byte <= 0x39 {
            value = min(value * 10 + Int(byte - 0x30), Int(Int32.max))
        }
        return text.first == 0x2D ? -value : value
    }
}
