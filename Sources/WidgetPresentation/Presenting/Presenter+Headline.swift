import WidgetTime

/// The label, what is drawn large below it, and the meter that goes with it.
extension Presenter {
    mutating func showHeadline() {
        var title = content["label"]?.text
        switch face.headline {
        case .none: break
        case .number:
            shown.headline = figure(content["value"])
            if shown.headline == nil {
                shown.headline = Readout(title ?? widget.name)
                title = nil
            }
        case .label:
            shown.headline = Readout(title ?? widget.name)
            title = nil
        case .percentage:
            guard let percentage = percentage else {
                shown.unavailability = .valueMissing
                return
            }
            note(change: window?.nextChange(after: now))
            shown.headline = Readout(percentage.text)
        case .timeLeft: showTimeLeft()
        case .currentPeriod: showCurrentPeriod()
        }
        if room.hasTitle { shown.title = title }
    }

    private mutating func showTimeLeft() {
        guard let end = content["end_date"]?.date else { return }
        if end.nanosecondsSinceEpoch <= now, let text = content["expired_text"]?.text {
            shown.headline = Readout(text)
        } else {
            shown.headline = ticking(end, .timer)
        }
    }

    /// The stretch that fills by the clock; builds before 1.6 ignore the dates.
    private var window: Window? {
        isNewBuild ? Window(content["start_date"]?.date, content["end_date"]?.date) : nil
    }

    private var percentage: Percentage? {
        if let window { return Percentage(percents: window.percents(at: now)) }
        return content["value"]?.number.map { Percentage($0.exact, $0.double, ofTenToThe: 0) }
    }

    mutating func showMeter() {
        switch face.meter {
        case .none: break
        case .percentage: showMeter(.bar, percentage?.fraction, window)
        case .window:
            guard let window, let shape = room.meter[.bar] else { return }
            note(change: window.nextChange(after: now))
            shown.meter = Meter(
                shape, Percentage(percents: window.percents(at: now)).fraction, window: window.span)
        case .range:
            guard let value = content["value"]?.double, let low = content["min_value"]?.double,
                let high = content["max_value"]?.double
            else { return }
            showMeter(.arc, Scale(low, high).fraction(of: value), nil)
        }
    }

    private mutating func showMeter(_ shape: Meter.Shape, _ fraction: Double?, _ window: Window?) {
        guard let fraction, let shape = room.meter[shape] else { return }
        shown.meter = Meter(shape, fraction, window: window?.span)
    }

    mutating func showBounds() {
        let isLabelled = face.meterBounds.contains(device.family) && shown.meter != nil
        let isLine = face.rangeLine.contains(device.family) && shown.rows.isEmpty
        guard isLabelled || isLine else { return }
        let bounds = Bounds(minimum: figure(content["min_value"]), maximum: figure(content["max_value"]))
        if bounds.minimum != nil || bounds.maximum != nil { shown.bounds = bounds }
    }

    mutating func showTrend() {
        guard let trend = content["trend"]?.word(TrendMark.Trend.self) else { return }
        if face.inlineTrend.contains(device.family) {
            shown.trend = TrendMark(trend: trend, placement: .inline)
        } else if face.badgeTrend.contains(device.family), shown.rows.isEmpty {
            shown.trend = TrendMark(trend: trend, placement: .badge)
        }
    }
}
