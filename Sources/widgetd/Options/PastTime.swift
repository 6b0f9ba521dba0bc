import WidgetTime

/// A time in the past as people say it: `90s`, `30m`, `2h`, `1d` ago, or an RFC 3339 date-time.
enum PastTime {
    private static let milliseconds: [Character: Int64] = ["s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]

    /// Milliseconds since 1970; `nil` for a text that is neither.
    static func read(_ text: String, now: Int64) -> Int64? {
        guard let unit = text.last.flatMap({ milliseconds[$0] }), let count = UInt32(text.dropLast()) else {
            return DateTimeText.read(Array(text.utf8)[...])?.milliseconds
        }
        return now - Int64(count) * unit
    }
}
