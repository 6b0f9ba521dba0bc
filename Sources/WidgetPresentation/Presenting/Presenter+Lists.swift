/// Rows, rings and sparklines: from the front of what is sent, as many as the family has room for.
extension Presenter {
    mutating func showList() {
        switch face.list {
        case .none: break
        case .rows: showRows()
        case .devices: showDevices()
        case .points: showPoints()
        case .periods: showPeriods()
        case .flow: showFlow()
        }
    }

    private mutating func showRows() {
        guard let all = content["stat_rows"]?.elements() else { return }
        let isPacked = room.packedRows > room.rows && all.count > room.rows && all.allSatisfy(isVeryShort)
        if isPacked { shown.rowColumns = 2 }
        for row in all.prefix(isPacked ? room.packedRows : room.rows) {
            var value = Self.value(of: row)
            if isNewBuild, let timer = row["timer"], let date = timer["date"]?.date {
                value = ticking(date, timer["style"]?.word(TimerStyle.self) ?? .timer)
            }
            shown.rows.append(StatRow(label: row["label"]?.string ?? "", value: value))
        }
    }

    /// Three characters with the unit, such as a glyph or a small count; a timer never is.
    private func isVeryShort(_ row: Cursor) -> Bool {
        let value = Self.value(of: row)
        return (value.text + (value.unit ?? "")).count <= 3 && !(isNewBuild && row["timer"] != nil)
    }

    private static func value(of row: Cursor) -> Readout {
        Readout(row["value"]?.string ?? "", unit: row["unit"]?.text)
    }

    /// Without their timers: those are a stat list's.
    mutating func showSupportingRows() {
        guard face.takesSupportingRows, let rows = content["stat_rows"] else { return }
        shown.rows = rows.elements(room.supportingRows).map { row in
            StatRow(label: row["label"]?.string ?? "", value: Self.value(of: row))
        }
    }

    private mutating func showDevices() {
        guard let devices = content["devices"] else { return }
        shown.rings = devices.elements(room.devices).map { device in
            let level = device["level"]?.number
            let percentage = level.map { Percentage($0.exact, $0.double, ofTenToThe: 2) } ?? Percentage(percents: 0)
            let isLow = (level?.double ?? 0) <= 20
            return Ring(
                name: device["name"]?.string ?? "", text: percentage.text, fraction: percentage.fraction,
                isCharging: device["charging"]?.isTrue ?? false, symbol: device["icon"]?.text,
                color: seen(device["color"]?.color ?? PresentedColor(isLow ? .red : .green)))
        }
    }

    private mutating func showPoints() {
        guard room.hasCharts, let points = content["points"]?.elements().compactMap(\.double),
            let lowest = points.min(), let highest = points.max()
        else { return }
        var scale = Scale(lowest, highest)
        if let low = content["min_value"]?.double, let high = content["max_value"]?.double { scale = Scale(low, high) }
        shown.sparkline = points.map(scale.fraction)
    }
}
