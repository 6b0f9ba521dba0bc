/// RFC 3339 date-times (section 5.6), read strictly and written in the one form that outcomes use.
public enum DateTimeText {
    /// Reads `date "T" time offset`: any case of T and Z, a fraction of any length, the calendar checked.
    ///
    /// Second 60 is refused: no device clock shows it. Digits of the fraction behind the ninth are dropped.
    /// - Returns: `nil` when the text is no such date-time.
    public static func read(_ text: ArraySlice<UInt8>) -> Timestamp? {
        var scanner = Scanner(text)
        guard let year = scanner.number(digits: 4), scanner.skip("-"),
            let month = scanner.number(digits: 2), (1...12).contains(month), scanner.skip("-"),
            let day = scanner.number(digits: 2), (1...daysInMonth(year, month)).contains(day),
            scanner.skip("T", or: "t"),
            let hour = scanner.number(digits: 2), hour < 24, scanner.skip(":"),
            let minute = scanner.number(digits: 2), minute < 60, scanner.skip(":"),
            let second = scanner.number(digits: 2), second < 60,
            let nanoseconds = scanner.fraction(),
            let offset = scanner.offset(), scanner.isAtEnd
        else { return nil }
        let days = daysSinceEpoch(year, month, day)
        return Timestamp(
            seconds: Int64(days * 86_400 + hour * 3_600 + minute * 60 + second - offset), nanoseconds: nanoseconds)
    }

    /// Appends `2026-11-30T12:03:10.250Z`: UTC, milliseconds rounded down.
    ///
    /// What lies beyond the years 0000 to 9999, where an offset can reach, is written as their first or last moment.
    public static func write(milliseconds: Int64, to out: inout [UInt8]) {
        let text = text(milliseconds: milliseconds)
        for index in text.indices { out.append(text[index]) }
    }

    /// The same as a value, for those who write into memory of their own.
    public static func text(milliseconds: Int64) -> InlineArray<24, UInt8> {
        let moment = Timestamp(milliseconds: min(max(milliseconds, firstMillisecond), lastMillisecond))
        let day = Int(moment.seconds >= 0 ? moment.seconds / 86_400 : (moment.seconds - 86_399) / 86_400)
        let second = Int(moment.seconds) - day * 86_400
        let date = civilDate(daysSinceEpoch: day)
        let thousandths = Int(moment.nanoseconds / 1_000_000)
        var text = InlineArray<24, UInt8>(repeating: 0x30)
        put(date.year / 100, 0, &text)
        put(date.year % 100, 2, &text)
        text[4] = 0x2D
        put(date.month, 5, &text)
        text[7] = 0x2D
        put(date.day, 8, &text)
        text[10] = 0x54
        put(second / 3_600, 11, &text)
        text[13] = 0x3A
        put(second / 60 % 60, 14, &text)
        text[16] = 0x3A
        put(second % 60, 17, &text)
        text[19] = 0x2E
        put(thousandths / 10, 20, &text)
        text[22] = 0x30 + UInt8(truncatingIfNeeded: thousandths % 10)
        text[23] = 0x5A
        return text
    }

    /// Of year 0000 and of year 9999.
    private static let firstMillisecond: Int64 = -62_167_219_200_000
    private static let lastMillisecond: Int64 = 253_402_300_799_999

    @inline(__always)
    private static func put(_ twoDigits: Int, _ place: Int, _ text: inout InlineArray<24, UInt8>) {
        text[place] = 0x30 + UInt8(truncatingIfNeeded: twoDigits / 10)
        text[place + 1] = 0x30 + UInt8(truncatingIfNeeded: twoDigits % 10)
    }

    private static func daysInMonth(_ year: Int, _ month: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }

    /// Days from 1970-01-01 in the proleptic Gregorian calendar; years begin in March, so that the leap day is last.
    private static func daysSinceEpoch(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func civilDate(daysSinceEpoch days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }

    /// Reads a text from left to right.
    private struct Scanner {
        private let text: ArraySlice<UInt8>
        private var index: Int

        init(_ text: ArraySlice<UInt8>) {
            self.text = text
            index = text.startIndex
        }

        var isAtEnd: Bool { index == text.endIndex }

        private func digit(at index: Int) -> Int? {
            guard index < text.endIndex, text[index] >= 0x30, text[index] <= 0x39 else { return nil }
            return Int(text[index] - 0x30)
        }

        mutating func number(digits: Int) -> Int? {
            var number = 0
            for _ in 0..<digits {
                guard let digit = digit(at: index) else { return nil }
                number = number * 10 + digit
                index += 1
            }
            return number
        }

        mutating func skip(_ wanted: Unicode.Scalar, or other: Unicode.Scalar? = nil) -> Bool {
            guard index < text.endIndex else { return false }
            let found = Unicode.Scalar(text[index])
            guard found == wanted || found == other else { return false }
            index += 1
            return true
        }

        /// Nanoseconds; 0 without a fraction, `nil` for a point without digits.
        mutating func fraction() -> Int32? {
            guard skip(".") else { return 0 }
            var nanoseconds: Int32 = 0
            var count = 0
            while let digit = digit(at: index) {
                if count < 9 { nanoseconds = nanoseconds * 10 + Int32(digit) }
                count += 1
                index += 1
            }
            guard count > 0 else { return nil }
            for _ in count..<max(count, 9) { nanoseconds *= 10 }
            return nanoseconds
        }

        /// Seconds east of UTC.
        mutating func offset() -> Int? {
            if skip("Z", or: "z") { return 0 }
            let isWest = index < text.endIndex && text[index] == 0x2D
            guard skip("+", or: "-"), let hours = number(digits: 2), hours < 24, skip(":"),
                let minutes = number(digits: 2), minutes < 60
            else { return nil }
            let offset = hours * 3_600 + minutes * 60
            return isWest ? -offset : offset
        }
    }
}
