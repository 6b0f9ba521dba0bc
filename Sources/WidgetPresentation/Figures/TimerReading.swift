import WidgetTime

/// The time to or since a date at a moment. Moments are nanoseconds since 1970.
///
/// Whole seconds: what is left is rounded up, what has passed is rounded down, so that zero stands from the date itself
/// to a second after it.
struct TimerReading {
    let readout: Readout
    /// The first moment with another text.
    let nextChange: Int128

    private static let second: Int128 = 1_000_000_000
    private static let units: [(seconds: Int128, one: String, many: String)] = [
        (86_400, "day", "days"), (3_600, "hr", "hr"), (60, "min", "min"), (1, "sec", "sec"),
    ]

    init(_ date: Timestamp, _ style: TimerStyle, at now: Int128) {
        let target = date.nanosecondsSinceEpoch
        let isAhead = now < target
        let seconds = isAhead ? (target - now + Self.second - 1) / Self.second : (now - target) / Self.second
        let text: String
        // The seconds with the same text, from the first to the last.
        let same: ClosedRange<Int128>
        switch style {
        case .timer:
            text = Self.clock(seconds)
            same = seconds...seconds
        case .relative:
            let unit = Self.units.first { $0.seconds <= seconds } ?? Self.units[Self.units.count - 1]
            let count = seconds / unit.seconds
            text = "\(count) \(count == 1 ? unit.one : unit.many)"
            same = count * unit.seconds...(count + 1) * unit.seconds - 1
        }
        nextChange =
            target + (isAhead ? 1 - same.lowerBound : same.upperBound + 1) * Self.second
        readout = Readout(text, timer: LiveTimer(date: date, style: style, direction: isAhead ? .down : .up))
    }

    /// `2:05:08`, `5:08`, `0:08`; hours go on beyond a day.
    private static func clock(_ seconds: Int128) -> String {
        let (hours, minute, second) = (seconds / 3_600, Int(seconds / 60 % 60), Int(seconds % 60))
        let tail = second < 10 ? "0\(second)" : "\(second)"
        guard hours > 0 else { return "\(minute):\(tail)" }
        return "\(hours):\(minute < 10 ? "0" : "")\(minute):\(tail)"
    }
}
