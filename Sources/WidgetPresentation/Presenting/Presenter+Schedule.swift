import WidgetTime

/// Periods: each runs until the next begins, the last has no end.
extension Presenter {
    mutating func showPeriods() {
        guard room.hasCharts, let periods = content["periods"]?.elements() else { return }
        let starts = periods.map { $0["start"]?.date }
        let numbers = periods.map { $0["value"]?.double }
        let values = numbers.compactMap(\.self)
        let (lowest, highest) = (values.min() ?? 0, values.max() ?? 0)
        let thirds = Scale(lowest, highest)
        let heights = Scale(min(0, lowest), max(0, highest))
        let current = starts.lastIndex { $0.map { $0.nanosecondsSinceEpoch <= now } ?? false }
        for (index, period) in periods.enumerated() {
            guard let start = starts[index], let number = numbers[index], let value = figure(period["value"])
            else { continue }
            note(change: start.nanosecondsSinceEpoch)
            let level = period["level"]?.word(BandLevel.self) ?? Self.level(thirds.fraction(of: number))
            shown.bands.append(
                Band(
                    span: TimeSpan(start: start, end: index + 1 < starts.count ? starts[index + 1] : nil),
                    value: value, level: level, fraction: heights.fraction(of: number), isCurrent: index == current,
                    color: Self.colors[level].flatMap(seen)))
        }
    }

    /// Which third of the range it is in.
    private static func level(_ fraction: Double) -> BandLevel {
        fraction < 1.0 / 3 ? .low : fraction < 2.0 / 3 ? .medium : .high
    }

    private static let colors: [BandLevel: PresentedColor] = [
        .low: PresentedColor(.green), .medium: PresentedColor(.yellow), .high: PresentedColor(.red),
    ]

    /// Where no bands are drawn, a period of the same figure is no change.
    mutating func showCurrentPeriod() {
        guard !room.hasCharts else {
            shown.headline = shown.bands.first(where: \.isCurrent)?.value
            return
        }
        guard let periods = content["periods"]?.elements() else { return }
        let starts = periods.map { $0["start"]?.date?.nanosecondsSinceEpoch }
        if let current = starts.lastIndex(where: { $0.map { $0 <= now } ?? false }) {
            shown.headline = figure(periods[current]["value"])
        }
        for (start, period) in zip(starts, periods) {
            guard let start, start > now, figure(period["value"]) != shown.headline else { continue }
            return note(change: start)
        }
    }
}
