public import WidgetTime

/// A filled line, ring or dial.
public struct Meter: Hashable, Sendable {
    public var shape: Shape
    /// 0 to 1.
    public var fraction: Double
    /// Set when the clock fills it: `fraction` moves in whole percents, those who can glide do so between these two.
    public var window: TimeSpan?

    public enum Shape: String, Sendable {
        case bar, ring, arc
    }

    init(_ shape: Shape, _ fraction: Double, window: TimeSpan? = nil) {
        self.shape = shape
        self.fraction = fraction
        self.window = window
    }
}

/// From `start`, up to but without `end`; without an end it goes on.
public struct TimeSpan: Hashable, Sendable {
    public var start: Timestamp
    public var end: Timestamp?
}
