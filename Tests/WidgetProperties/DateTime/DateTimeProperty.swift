import Glibc
import WidgetTime

/// The reader takes exactly what `PlainDateTime` takes, and an instant is written so that it is read as the same.
public struct DateTimeProperty: InputProperty {
    public init() {}

    public mutating func check(_ input: [UInt8]) throws {
        let moment = DateTimeText.read(input[...])
        let expected = PlainDateTime.read(input)
        try hold(
            moment == expected, "the instant is the one that RFC 3339 and the C library name",
            "\(String(describing: moment)), not \(String(describing: expected))")
        let between = [0x31] + input + [0x31]
        try hold(DateTimeText.read(between.dropFirst().dropLast()) == moment, "what stands around the text is not read")
        guard let moment else { return }
        try hold(0..<1_000_000_000 ~= moment.nanoseconds, "nanoseconds are less than a second")
        try checkWriting(moment.milliseconds)
    }

    private func checkWriting(_ milliseconds: Int64) throws {
        var text: [UInt8] = []
        DateTimeText.write(milliseconds: milliseconds, to: &text)
        let again = DateTimeText.read(text[...])
        try hold(text.count == 24 && again != nil, "what is written is a date-time", shown(text))
        // An offset reaches beyond the years that a date-time in UTC can name.
        let nearest = min(max(milliseconds, PlainDateTime.first), PlainDateTime.last)
        try hold(again?.milliseconds == nearest, "what is written is read as the same instant", shown(text))
    }
}

/// RFC 3339 section 5.6 by columns, with the C library's calendar: to hold the product's reader against.
enum PlainDateTime {
    /// 0000-01-01T00:00:00.000Z and 9999-12-31T23:59:59.999Z in milliseconds since 1970.
    static let first: Int64 = -62_167_219_200_000
    static let last: Int64 = 253_402_300_799_999

    static func read(_ text: [UInt8]) -> Timestamp? {
        // The offset begins at the Z, or six places before the end.
        guard let final = text.last, final | 0x20 == UInt8(ascii: "z") || text.count > 24 else { return nil }
        let offsetLength = final | 0x20 == UInt8(ascii: "z") ? 1 : 6
        guard text.count >= 19 + offsetLength, let offset = offset(Array(text.suffix(offsetLength))),
            let seconds = seconds(Array(text.prefix(19))),
            let nanoseconds = nanoseconds(text[19..<text.count - offsetLength])
        else { return nil }
        return Timestamp(seconds: seconds - offset, nanoseconds: nanoseconds)
    }

    /// The number that a pattern's `9`s stand for, in its runs of them; everything else must be the same byte.
    private static func numbers(_ text: [UInt8], _ pattern: String) -> [Int]? {
        guard text.count == pattern.utf8.count else { return nil }
        var numbers: [Int] = []
        var isInNumber = false
        for (byte, wanted) in zip(text, pattern.utf8) {
            guard wanted == UInt8(ascii: "9") else {
                guard byte == wanted else { return nil }
                isInNumber = false
                continue
            }
            guard let digit = Int(String(Unicode.Scalar(byte))) else { return nil }
            if !isInNumber { numbers.append(0) }
            isInNumber = true
            numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + digit
        }
        return numbers
    }

    private static func seconds(_ text: [UInt8]) -> Int64? {
        guard let fields = numbers(text, "9999-99-99T99:99:99") ?? numbers(text, "9999-99-99t99:99:99"),
            fields[3] < 24, fields[4] < 60, fields[5] < 60
        else { return nil }
        var time = tm()
        time.tm_year = Int32(fields[0] - 1900)
        time.tm_mon = Int32(fields[1] - 1)
        time.tm_mday = Int32(fields[2])
        time.tm_hour = Int32(fields[3])
        time.tm_min = Int32(fields[4])
        time.tm_sec = Int32(fields[5])
        let seconds = timegm(&time)
        // A day that is in no calendar came out as another one.
        guard time.tm_mon == fields[1] - 1, time.tm_mday == fields[2] else { return nil }
        return Int64(seconds)
    }

    private static func nanoseconds(_ text: ArraySlice<UInt8>) -> Int32? {
        guard let point = text.first else { return 0 }
        let digits = text.dropFirst()
        guard point == UInt8(ascii: "."), !digits.isEmpty, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return Int32(String(decoding: (digits + Array(repeating: 0x30, count: 9)).prefix(9), as: UTF8.self))
    }

    private static func offset(_ text: [UInt8]) -> Int64? {
        if text.count == 1 { return 0 }
        let east = numbers(text, "+99:99")
        guard let fields = east ?? numbers(text, "-99:99"), fields[0] < 24, fields[1] < 60 else { return nil }
        return Int64(fields[0] * 3_600 + fields[1] * 60) * (east == nil ? -1 : 1)
    }
}
