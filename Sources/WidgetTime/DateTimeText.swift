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
        let words = words(milliseconds: milliseconds)
        for word in [words.0, words.1, words.2] {
            for shift in stride(from: 0, to: 64, by: 8) { out.append(UInt8(truncatingIfNeeded: word >> shift)) }
        }
    }

    /// The same 24 bytes as three words, the first byte lowest, for those who write into memory of their own.
    public static func words(milliseconds: Int64) -> (UInt64, UInt64, UInt64) {
        let moment = UInt64(min(max(milliseconds, firstMillisecond), lastMillisecond) - firstMillisecond)
        let (day, millisecond) = moment.quotientAndRemainder(dividingBy: 86_400_000)
        let date = civilDate(daysSinceYear0: day)
        let (second, thousandths) = millisecond.quotientAndRemainder(dividingBy: 1000)
        let (minute, secondOfMinute) = second.quotientAndRemainder(dividingBy: 60)
        let (hour, minuteOfHour) = minute.quotientAndRemainder(dividingBy: 60)
        let (century, yearOfCentury) = date.year.quotientAndRemainder(dividingBy: 100)
        let (hundredths, thousandth) = thousandths.quotientAndRemainder(dividingBy: 10)
        return (
            digits(century) | digits(yearOfCentury) << 16 | 0x2D << 32 | digits(date.month) << 40 | 0x2D << 56,
            digits(date.day) | 0x54 << 16 | digits(hour) << 24 | 0x3A << 40 | digits(minuteOfHour) << 48,
            0x3A | digits(secondOfMinute) << 8 | 0x2E << 24 | digits(hundredths) << 32 | (0x30 | thousandth) << 48
                | 0x5A << 56
        )
    }

    /// Of year 0000 and of year 9999.
    private static let firstMillisecond: Int64 = -62_167_219_200_000
    private static let lastMillisecond: Int64 = 253_402_300_799_999

    /// The two digits of a number below 100, the first in the lowest byte.
    @inline(__always)
    private static func digits(_ number: UInt64) -> UInt64 {
        let tens = (number &* 103) >> 10
        return 0x3030 &+ (tens | (number &- tens &* 10) << 8)
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

    /// By multiplications in place of divisions (Neri and Schneider 2022, "Euclidean affine functions"), in years that
    /// begin in March; 400 years more keep January of year 0 above zero,
    /// and nothing here comes near an overflow.
    private static func civilDate(daysSinceYear0 days: UInt64) -> (year: UInt64, month: UInt64, day: UInt64) {
        let (century, restOfCentury) = (4 &* (days &+ 146_097 &- 60) &+ 3).quotientAndRemainder(dividingBy: 146_097)
        let year = 2_939_745 &* (restOfCentury | 3)
        let dayOfYear = (year & 0xFFFF_FFFF) / 2_939_745 / 4
        let month = 2_141 &* dayOfYear &+ 197_913
        let isNextYear = dayOfYear >= 306
        return (
            year: 100 &* century &+ (year >> 32) &+ (isNextYear ? 1 : 0) &- 400,
            month: (month >> 16) &- (isNextYear ? 12 : 0), day: (month & 0xFFFF) / 2_141 &+ 1
        )
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
