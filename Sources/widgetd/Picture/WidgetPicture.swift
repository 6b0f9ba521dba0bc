import WidgetPresentation

/// What a device shows of a widget, drawn with text.
struct WidgetPicture {
    private let shown: Presentation
    private let terminal: Terminal
    /// Columns inside the frame.
    private let room: Int
    private var lines: [PictureLine] = []

    private static let widest = 56

    init(_ shown: Presentation, for terminal: Terminal) {
        self.shown = shown
        self.terminal = terminal
        // Four for the frame; the last column stays free.
        room = max(10, min(Self.widest, terminal.columns - 5))
        guard shown.unavailability == nil else {
            lines = [PictureLine(Self.words(on: shown.unavailability), .yellow)]
            return
        }
        addHeadline()
        addMeter()
        addLists()
        addFoot()
    }

    /// The lines of the picture, in a frame where a person reads.
    var text: [String] {
        guard terminal.isTerminal else {
            return lines.map { $0.text(columns: Self.widest, isFilled: false, for: terminal) }
        }
        let edge = String(repeating: "─", count: room + 2)
        func dim(_ text: String) -> String { terminal.styled(text, .dim) }
        return [dim("╭\(edge)╮")]
            + lines.map { dim("│") + " " + $0.text(columns: room, isFilled: true, for: terminal) + " " + dim("│") }
            + [dim("╰\(edge)╯")]
    }

    static func words(on unavailability: Unavailability?) -> String {
        switch unavailability {
        case nil: ""
        case .needsBuild16: "the device has nothing to show: its build is older than the template"
        case .valueMissing: "the device has nothing to show: there is no value"
        case .templateUnknown: "the device has nothing to show: the template is not known"
        }
    }

    /// `60% CPU`
    static func text(of readout: Readout) -> String { readout.text + (readout.unit.map { " \($0)" } ?? "") }

    private var accent: Style? { Style(shown.colors?.accent) }

    // MARK: Parts

    private mutating func addHeadline() {
        if let title = shown.title { lines.append(PictureLine(title, .dim)) }
        if let headline = shown.headline {
            var line = PictureLine(Self.text(of: headline), .bold)
            if let trend = shown.trend { line.add("  \(Self.arrows[trend.trend] ?? "") \(trend.text)", accent) }
            lines.append(line)
        }
        if let subtitle = shown.subtitle { lines.append(PictureLine(Self.text(of: subtitle))) }
        if !shown.pills.isEmpty { lines.append(PictureLine(shown.pills.joined(separator: "  "), accent)) }
    }

    private static let arrows: [TrendMark.Trend: String] = [.up: "↗", .down: "↘", .flat: "→"]

    private mutating func addMeter() {
        if let meter = shown.meter { lines.append(PictureLine(Bar.text(meter.fraction, columns: room), accent)) }
        if let bounds = shown.bounds {
            let ends = [bounds.minimum, bounds.maximum].map { $0.map(Self.text) ?? "" }
            addSplit(ends[0], ends[1], .dim)
        }
    }

    private mutating func addLists() {
        for row in shown.rows { addSplit(row.label, Self.text(of: row.value)) }
        for ring in shown.rings {
            let style = Style(ring.color) ?? accent
            addSplit(ring.name, (ring.isCharging ? "charging " : "") + ring.text)
            lines.append(PictureLine(Bar.text(ring.fraction, columns: room), style))
        }
        if !shown.sparkline.isEmpty { lines.append(PictureLine(Self.columns(shown.sparkline), accent)) }
        if !shown.bands.isEmpty {
            var line = PictureLine("")
            for band in shown.bands {
                line.add(Self.columns([band.fraction]), band.isCurrent ? .bold : Self.levels[band.level])
            }
            lines.append(line)
        }
        for node in shown.nodes {
            let total = node.total.map { "  \(Self.text(of: $0))" } ?? ""
            addSplit(
                "\(Self.directions[node.direction] ?? " ") \(node.name)",
                Self.text(of: node.rate) + (node.fill.map { "  \($0.text)" } ?? "") + total)
        }
    }

    private static let levels: [BandLevel: Style] = [.low: .green, .medium: .yellow, .high: .red]
    private static let directions: [FlowNode.Direction: String] = [
        .inbound: "→", .outbound: "←", .filling: "↑", .draining: "↓", .idle: "·",
    ]

    /// A column each, as high as its fraction.
    private static func columns(_ fractions: [Double]) -> String {
        let heights = Array("▁▂▃▄▅▆▇█")
        return String(fractions.map { heights[min(7, max(0, Int($0 * 8)))] })
    }

    private mutating func addFoot() {
        if !shown.buttons.isEmpty {
            let titles = shown.buttons.map { "[ \($0.title ?? $0.symbol ?? "") ]" }
            lines.append(PictureLine(titles.joined(separator: "  "), accent))
        }
        if let staleness = shown.staleness { lines.append(PictureLine(staleness.text, .yellow)) }
    }

    /// One text at the left end, one at the right.
    private mutating func addSplit(_ left: String, _ right: String, _ style: Style? = nil) {
        let (left, right) = (left.printable, right.printable)
        let end = right.fitted(to: max(1, room - 4))
        let start = left.fitted(to: max(1, room - end.displayWidth - 2))
        var line = PictureLine(start, style)
        line.add(String(repeating: " ", count: max(1, room - start.displayWidth - end.displayWidth)))
        line.add(end, style ?? .bold)
        lines.append(line)
    }
}
