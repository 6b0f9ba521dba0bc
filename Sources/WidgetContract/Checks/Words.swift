import WidgetJSON

/// How messages name things.
extension Node.Kind {
    var inWords: String {
        switch self {
        case .null: "null"
        case .false, .true: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension ValueRule {
    var inWords: String {
        switch self {
        case .text, .word, .color, .url: "a string"
        case .date: "a string with an RFC 3339 date-time"
        case .number: "a number"
        case .wholeNumber: "a whole number"
        case .boolean: "true or false"
        case .headers, .object: "an object"
        case .array: "an array"
        }
    }

    /// What stands there must not be shown.
    var isSecret: Bool {
        if case .headers = self { true } else { false }
    }
}

extension ObjectName {
    var inWords: String {
        switch self {
        case .widget: "a widget"
        case .content: "the content"
        case .statRow: "a stat row"
        case .device: "a device"
        case .sortKey: "a sort key"
        case .period: "a period"
        case .flow: "the flow"
        case .flowNode: "a flow node"
        case .timer: "a timer"
        case .action: "an action"
        }
    }
}

/// Moves the decimal point of a number's text, since a division of doubles would show digits nobody sent.
enum DecimalShift {
    /// 42 → `0.42`, 7.5 → `0.075`, 100 → `1`; `nil` for a text with an exponent or a sign.
    static func hundredth(of text: ArraySlice<UInt8>) -> String? {
        guard text.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }) else { return nil }
        let parts = text.split(separator: 0x2E, omittingEmptySubsequences: false)
        var digits = [UInt8](repeating: 0x30, count: 2) + parts[0] + (parts.count > 1 ? Array(parts[1]) : [])
        var pointIndex = parts[0].count
        while pointIndex > 1 && digits[0] == 0x30 {
            digits.removeFirst()
            pointIndex -= 1
        }
        while digits.count > pointIndex && digits.last == 0x30 { digits.removeLast() }
        let whole = String(decoding: digits[..<pointIndex], as: UTF8.self)
        let fraction = String(decoding: digits[pointIndex...], as: UTF8.self)
        return fraction.isEmpty ? whole : "\(whole).\(fraction)"
    }
}
