/// A line of label and value.
public struct StatRow: Hashable, Sendable {
    public var label: String
    public var value: Readout
}

/// A device's charge.
public struct Ring: Hashable, Sendable {
    public var name: String
    /// `68%`
    public var text: String
    /// 0 to 1.
    public var fraction: Double
    public var isCharging: Bool
    public var symbol: String?
    public var color: PresentedColor?
}

/// A period of a schedule.
public struct Band: Hashable, Sendable {
    public var span: TimeSpan
    public var value: Readout
    public var level: BandLevel
    /// Its height: 0 to 1, between the lowest value (or zero, when that is lower) and the highest (or zero).
    public var fraction: Double
    /// It contains the clock.
    public var isCurrent: Bool
    public var color: PresentedColor?
}

public enum BandLevel: String, CaseIterable, Sendable {
    case low, medium, high
}

/// One end of a flow.
public struct FlowNode: Hashable, Sendable {
    public var slot: Slot
    public var name: String
    /// Without its sign, which `direction` tells.
    public var rate: Readout
    public var direction: Direction
    /// The day's running figure.
    public var total: Readout?
    /// How full a storage is.
    public var fill: Fill?
    public var symbol: String?
    public var color: PresentedColor?

    /// In the order in which they are drawn; the raw value is the member of `flow`.
    public enum Slot: String, CaseIterable, Sendable {
        case inputs, exchange, storage, output
    }

    public enum Direction: String, Sendable {
        /// Into the system: inputs, and an exchange with a positive rate.
        case inbound
        /// Out of the system: the output, and an exchange with a negative rate.
        case outbound
        case filling, draining
        /// Nothing moves.
        case idle
    }

    public struct Fill: Hashable, Sendable {
        /// `76%`
        public var text: String
        /// 0 to 1.
        public var fraction: Double
    }
}

/// The sender's word on where a number is going.
public struct TrendMark: Hashable, Sendable {
    public var trend: Trend
    public var placement: Placement

    public enum Trend: String, CaseIterable, Sendable {
        case up, down, flat
    }

    public enum Placement: String, Sendable {
        /// An arrow beside the headline.
        case inline
        /// A badge of its own with `text`.
        case badge
    }

    /// `Up`
    public var text: String { Self.texts[trend] ?? "" }
    /// An SF Symbol's name.
    public var symbol: String { Self.symbols[trend] ?? "" }

    private static let texts: [Trend: String] = [.up: "Up", .down: "Down", .flat: "Flat"]
    private static let symbols: [Trend: String] = [
        .up: "arrow.up.right", .down: "arrow.down.right", .flat: "arrow.right",
    ]
}

/// A button; what it does stands in the content's action of that name.
public struct ButtonMark: Hashable, Sendable {
    public var action: Action
    public var title: String?
    public var symbol: String?

    public enum Action: String, CaseIterable, Sendable {
        case primary = "url_action"
        case secondary = "secondary_url_action"
    }
}
