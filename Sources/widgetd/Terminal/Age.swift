/// Spans of time in words: the largest unit that fits, and nothing finer.
enum Age {
    private static let units: [(name: String, seconds: Int64)] = [
        ("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1),
    ]

    /// `3 min`
    static func text(milliseconds: Int64) -> String {
        let seconds = max(0, milliseconds / 1000)
        let unit = units.first { seconds >= $0.seconds } ?? ("s", 1)
        return "\(seconds / unit.seconds) \(unit.name)"
    }

    /// `3 min ago`, `in 3 min`
    static func text(from time: Int64, now: Int64) -> String {
        time > now ? "in " + text(milliseconds: time - now) : text(milliseconds: now - time) + " ago"
    }
}
