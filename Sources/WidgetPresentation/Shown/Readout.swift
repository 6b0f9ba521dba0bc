public import WidgetTime

/// A text with the unit behind it; one that ticks says by which date.
public struct Readout: Hashable, Sendable {
    /// At this moment.
    public var text: String
    public var unit: String?
    public var timer: LiveTimer?

    init(_ text: String, unit: String? = nil, timer: LiveTimer? = nil) {
        self.text = text
        self.unit = unit
        self.timer = timer
    }
}

/// What a text counts by, for those who can let it tick themselves.
public struct LiveTimer: Hashable, Sendable {
    public var date: Timestamp
    public var style: TimerStyle
    public var direction: TimerDirection
}

/// How the time to or since a date is written.
public enum TimerStyle: String, CaseIterable, Sendable {
    /// `2:05:08`, `5:08`
    case timer
    /// `2 min`
    case relative
}

/// Whether the date is ahead (down) or has been reached (up).
public enum TimerDirection: String, Sendable {
    case down, up
}

/// The lower and the upper end that a number is seen against.
public struct Bounds: Hashable, Sendable {
    public var minimum: Readout?
    public var maximum: Readout?
}
