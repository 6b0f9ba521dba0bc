extension Document {
    /// True when both values are equal as JSON values: numbers by what they say (0 equals 0.0 and -0, 1E2 equals 100),
    /// arrays in order, objects in any order of members.
    public func value(at position: Int, equals other: Document, at otherPosition: Int) -> Bool {
        let node = nodes[position]
        let otherNode = other.nodes[otherPosition]
        guard node.kind == otherNode.kind else { return false }
        if node.length == otherNode.length
            && text[node.start..<node.end].elementsEqual(other.text[otherNode.start..<otherNode.end])
        {
            return true
        }
        switch node.kind {
        case .null, .true, .false: return true
        case .string: return false
        case .number:
            return DecimalText(text[node.start..<node.end]) == DecimalText(other.text[otherNode.start..<otherNode.end])
        case .array:
            var left = elements(of: position)
            var right = other.elements(of: otherPosition)
            while true {
                switch (left.next(), right.next()) {
                case (nil, nil): return true
                case (let one?, let two?):
                    guard value(at: one, equals: other, at: two) else { return false }
                default: return false
                }
            }
        case .object:
            var names: [[UInt8]: Int] = [:]
            for member in other.members(of: otherPosition) {
                names[Array(other.text[other.nodes[member.name].wholeText])] = member.value
            }
            var count = 0
            for member in members(of: position) {
                guard let twin = names[Array(text[nodes[member.name].wholeText])],
                    value(at: member.value, equals: other, at: twin)
                else { return false }
                count += 1
            }
            return count == names.count
        }
    }
}

/// A JSON number as sign, significant digits and exponent, exactly as its text says and however it is written.
struct DecimalText: Equatable {
    private let isNegative: Bool
    /// Without zeros at either end; empty for zero.
    private let digits: [UInt8]
    /// Of the last digit; far exponents are cut to the range of `Int32`.
    private let exponent: Int

    init(_ text: ArraySlice<UInt8>) {
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
