public import WidgetTime

/// Puts a presentation together, part by part, and notes when each will be another.
struct Presenter {
    let widget: PresentableWidget
    let content: Cursor
    let device: Device
    let face: TemplateFace
    let room: FamilyRoom
    /// The content's, of every number that has none of its own.
    let unit: String?
    /// Nanoseconds since 1970.
    let now: Int128
    var shown: Presentation
    private var nextChange: Int128?

    init(
        _ widget: PresentableWidget, _ content: Cursor, _ template: PresentedTemplate, on device: Device,
        at now: Timestamp
    ) {
        self.widget = widget
        self.content = content
        self.device = device
        face = .of(template)
        room = .of(device.family)
        unit = content["unit"]?.text
        self.now = now.nanosecondsSinceEpoch
        shown = Presentation(template: template, device: device)
    }

    var isNewBuild: Bool { device.build == .from16 }

    /// Something that is shown will be another at that moment.
    mutating func note(change moment: Int128?) {
        guard let moment, moment > now, moment <= Timestamp.latest.nanosecondsSinceEpoch else { return }
        nextChange = min(moment, nextChange ?? moment)
    }

    /// A text that ticks.
    mutating func ticking(_ date: Timestamp, _ style: TimerStyle) -> Readout {
        let reading = TimerReading(date, style, at: now)
        note(change: reading.nextChange)
        return reading.readout
    }

    /// The number as a readout with the content's unit.
    func figure(_ number: Cursor?, isSigned: Bool = true) -> Readout? {
        number?.number.map { Readout(Figure.text($0.exact, isSigned: isSigned), unit: unit) }
    }

    /// The colour where colours are seen.
    func seen(_ color: PresentedColor) -> PresentedColor? { room.isHomeScreen ? color : nil }

    consuming func present() -> Presentation {
        showColors()
        showList()
        showSupportingRows()
        showHeadline()
        guard shown.unavailability == nil else {
            return Presentation(template: shown.template, device: device, unavailability: shown.unavailability)
        }
        showMeter()
        showTrend()
        showBounds()
        showSubtitle()
        showButtons()
        showStaleness()
        shown.nextChange = nextChange.map { Timestamp(nanosecondsSinceEpoch: $0) }
        return shown
    }
}

extension Presentation {
    /// What `device` shows of `widget` at `now`, a moment of the years 0000 to 9999.
    public init(of widget: PresentableWidget, on device: Device, at now: Timestamp) {
        guard let content = widget.content, let template = content["template"]?.word(PresentedTemplate.self) else {
            self.init(template: nil, device: device, unavailability: .templateUnknown)
            return
        }
        if device.build == .before16 && TemplateFace.of(template).needsNewBuild {
            self.init(template: template, device: device, unavailability: .needsBuild16)
            return
        }
        self = Presenter(widget, content, template, on: device, at: now).present()
    }
}
