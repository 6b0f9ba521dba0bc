import WidgetJSON

extension DecimalText {
    /// Digits before the point; 0 or less for what is below 1.
    var integerDigits: Int { digits.count + exponent }

    /// The magnitude times ten to the power of `places`, rounded to a whole number, halves up: its digits, none for 0.
    func rounded(places: Int) -> [UInt8] {
        let kept = integerDigits + places
        guard !digits.isEmpty, kept >= 0 else { return [] }
        guard kept < digits.count else { return digits + [UInt8](repeating: 0x30, count: kept - digits.count) }
        var result = Array(digits[..<kept])
        guard digits[kept] >= 0x35 else { return result }
        var place = kept - 1
        while place >= 0, result[place] == 0x39 {
            result[place] = 0x30
            place -= 1
        }
        if place < 0 { result.insert(0x31, at: 0) } else { result[place] += 1 }
        return result
    }
}
