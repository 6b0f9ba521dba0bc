import WidgetTime

/// A stretch of time that fills as the clock goes through it. Moments are nanoseconds since 1970.
struct Window {
    let start: Int128
    let end: Int128

    /// `nil` when it has no length.
    init?(_ start: Timestamp?, _ end: Timestamp?) {
        guard let start, let end, start < end else { return nil }
        self.start = start.nanosecondsSinceEpoch
        self.end = end.nanosecondsSinceEpoch
    }

    var span: TimeSpan {
        TimeSpan(start: Timestamp(nanosecondsSinceEpoch: start), end: Timestamp(nanosecondsSinceEpoch: end))
    }

    /// Whole percents, halves up: 0 up to the start, 100 from the end on, 1 to 99 between them.
    func percents(at now: Int128) -> Int {
        let elapsed = now - start
        let length = end - start
        if elapsed <= 0 { return 0 }
        if elapsed >= length { return 100 }
        return min(max(Int((200 * elapsed + length) / (2 * length)), 1), 99)
    }

    /// The first moment after `now` with other percents.
    func nextChange(after now: Int128) -> Int128? {
        guard now < end else { return nil }
        guard now > start else { return start + 1 }
        let next = Int128(percents(at: now)) + 1
        guard next < 100 else { return end }
        // The first moment that rounds to so many percents: elapsed ≥ (next - ½) · length / 100, rounded up.
        return min(end, start + ((2 * next - 1) * (end - start) + 199) / 200)
    }
}
