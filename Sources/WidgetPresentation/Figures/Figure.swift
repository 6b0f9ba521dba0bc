import WidgetJSON

/// A number in the few characters that a widget has for it, from its decimal text: no digit passes through a double.
///
/// Precision narrows as the number grows: two decimals below 10, one below 100, none below 10 000, then `12.3K`, `1.2M`,
/// `1.2B`, `1.2T` and `1.2E15`. Zeros at the end of a fraction fall away, halves are rounded up, a number that rounds to
/// the next step is written as one there.
enum Figure {
    private struct Step {
        /// The power of ten that it stays below.
        let limit: Int
        let decimals: Int
        /// The power of ten that the suffix stands for.
        let power: Int
        let suffix: String
    }

    private static let steps = [
        Step(limit: 1, decimals: 2, power: 0, suffix: ""), Step(limit: 2, decimals: 1, power: 0, suffix: ""),
        Step(limit: 4, decimals: 0, power: 0, suffix: ""), Step(limit: 6, decimals: 1, power: 3, suffix: "K"),
        Step(limit: 9, decimals: 1, power: 6, suffix: "M"), Step(limit: 12, decimals: 1, power: 9, suffix: "B"),
        Step(limit: 15, decimals: 1, power: 12, suffix: "T"),
    ]

    /// - Parameter isSigned: without, it is the magnitude.
    static func text(_ number: DecimalText, isSigned: Bool = true) -> String {
        var out: [UInt8] = []
        let isNegative = isSigned && number.isNegative
        for step in steps where number.integerDigits <= step.limit {
            let digits = number.rounded(places: step.decimals - step.power)
            guard digits.count <= step.limit - step.power + step.decimals else { continue }
            if isNegative && !digits.isEmpty { out.append(0x2D) }
            put(digits, decimals: step.decimals, &out)
            return String(decoding: out, as: UTF8.self) + step.suffix
        }
        if isNegative { out.append(0x2D) }
        var power = number.integerDigits - 1
        var digits = Array(number.digits.prefix(3))
        digits = DecimalText(digits[...]).rounded(places: 2 - digits.count)
        if digits.count > 2 { power += 1 }
        put(Array(digits.prefix(2)), decimals: 1, &out)
        return String(decoding: out, as: UTF8.self) + "E\(power)"
    }

    /// Appends digits whose last `decimals` stand behind the point, thousands grouped, zeros at the end left away.
    private static func put(_ digits: [UInt8], decimals: Int, _ out: inout [UInt8]) {
        let whole = max(0, digits.count - decimals)
        if whole == 0 { out.append(0x30) }
        for (index, digit) in digits[..<whole].enumerated() {
            if index > 0, (whole - index) % 3 == 0 { out.append(0x2C) }
            out.append(digit)
        }
        var fraction = [UInt8](repeating: 0x30, count: decimals - (digits.count - whole)) + digits[whole...]
        while fraction.last == 0x30 { fraction.removeLast() }
        if !fraction.isEmpty { out.append(0x2E) }
        out += fraction
    }
}
