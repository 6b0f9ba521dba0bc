public import WidgetTime

/// What a device shows of a widget at a moment.
///
/// Texts stand as their sender wrote them, whatever scripts, marks or markup they hold: who draws them escapes them for
/// where they go. Texts made here are English and times are UTC, on every machine. What is absent is not drawn.
/// `writeJSON` documents the same members as JSON.
public struct Presentation: Hashable, Sendable {
    /// `nil` when the content names none that is known.
    public var template: PresentedTemplate?
    public var device: Device
    /// Why there is nothing to show; then all below is absent.
    public var unavailability: Unavailability?

    /// The label above the headline.
    public var title: String?
    /// What is drawn large.
    public var headline: Readout?
    public var trend: TrendMark?
    public var subtitle: Readout?
    /// The parts of a status's subtitle.
    public var pills: [String] = []
    public var meter: Meter?
    /// The end labels of a dial, or the range line of a number.
    public var bounds: Bounds?
    public var rows: [StatRow] = []
    /// Side by side: 2 where short rows are packed, else 1.
    public var rowColumns = 1
    /// A device each.
    public var rings: [Ring] = []
    /// The points of a chart from left to right, 0 (its floor) to 1 (its top).
    public var sparkline: [Double] = []
    /// The periods of a schedule.
    public var bands: [Band] = []
    public var nodes: [FlowNode] = []
    public var buttons: [ButtonMark] = []
    /// An SF Symbol's name, or `mdi:` and a name.
    public var symbol: String?
    /// `nil` on the Lock Screen, where the system draws everything in one tint; so are the colours of parts.
    public var colors: Palette?
    /// Set while the widget is drawn dimmed, because no update came for too long.
    public var staleness: Staleness?

    /// The first moment from now on at which anything here is another by itself; `nil` when only an update changes it.
    public var nextChange: Timestamp?

    init(template: PresentedTemplate?, device: Device, unavailability: Unavailability? = nil) {
        self.template = template
        self.device = device
        self.unavailability = unavailability
    }
}

/// Why a device has nothing to show.
public enum Unavailability: String, CaseIterable, Sendable {
    /// The template is newer than the build.
    case needsBuild16 = "needs_build_1.6"
    /// A progress without a value, on a build that does not draw its dates.
    case valueMissing = "value_missing"
    case templateUnknown = "template_unknown"
}

/// How long a widget goes by what it knows.
public struct Staleness: Hashable, Sendable {
    /// The last update.
    public var asOf: Timestamp
    /// `as of 2026-11-30 12:03 UTC`
    public var text: String
}
