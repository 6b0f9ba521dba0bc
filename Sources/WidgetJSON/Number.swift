extension Document {
    /// The number at `position` as the nearest double: infinite when none holds it (`1e400`), zero when it is too
    /// small (`1e-400`); `nil` when it is no number.
    public func number(at position: Int) -> Double? {
        withView { $0.number(at: position) }
    }
}

/// Reads the text of a JSON number as a double.
enum DoubleText {
    /// Exact for digits that a double holds as a whole number and powers of ten up to 22: one division rounds once
    /// (Clinger 1990). The rest goes to the standard library's reader.
    static func read(_ text: UnsafeRawBufferPointer) -> Double {
        // So few digits do not overflow.
        guard text.count <= 19 else { return unsafe slow(text) }
        let isNegative = unsafe text.first == 0x2D
        var mantissa: UInt64 = 0
        var point = text.count
        var index = isNegative ? 1 : 0
        while index < text.count {
            let byte = unsafe text[index]
            index &+= 1
            if byte == 0x2E {
                point = index
            } else if byte >= 0x30 && byte <= 0x39 {
                mantissa = mantissa &* 10 &+ UInt64(byte &- 0x30)
            } else {
                return unsafe slow(text)
            }
        }
        guard mantissa <= 1 << 53 else { return unsafe slow(text) }
        let magnitude = Double(mantissa) / powersOfTen[text.count - point]
        return isNegative ? -magnitude : magnitude
    }

    private static let powersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]

    private static func slow(_ text: UnsafeRawBufferPointer) -> Double {
        Double(unsafe String(decoding: text, as: UTF8.self)) ?? .infinity
    }
}
