/// How a template draws a content, whatever the family.
struct TemplateFace: Sendable {
    /// Builds before 1.6 do not know it.
    var needsNewBuild = false
    /// The accent when neither the content nor its severity says one.
    var accent: ColorName
    var headline = Headline.none
    var meter = Gauge.none
    var list = List.none
    /// Stat rows stand below the headline where the family has room for them.
    var takesSupportingRows = false
    var inlineTrend: Set<Family> = []
    /// Unless supporting rows take its place.
    var badgeTrend: Set<Family> = []
    /// Where both ends of the meter are labelled.
    var meterBounds: Set<Family> = []
    /// Where the range is a line of its own, unless supporting rows take its place.
    var rangeLine: Set<Family> = []
    /// Without an icon the severity picks the symbol.
    var drawsSeverity = false
    /// The subtitle is broken into pills.
    var breaksSubtitle = false

    enum Headline {
        case none
        /// `value`, else the label, else the widget's name.
        case number
        case percentage
        /// The label, else the widget's name.
        case label
        /// The time left until `end_date`.
        case timeLeft
        /// The value of the period that contains the clock.
        case currentPeriod
    }

    enum Gauge {
        case none
        /// The same fraction as the percentage.
        case percentage
        /// From `start_date` to `end_date`, when there is a start.
        case window
        /// From `min_value` to `max_value`.
        case range
    }

    enum List {
        case none, rows, devices, points, periods, flow
    }

    static func of(_ template: PresentedTemplate) -> TemplateFace { table[template] ?? TemplateFace(accent: .blue) }

    private static let table: [PresentedTemplate: TemplateFace] = [
        .value: TemplateFace(
            accent: .blue, headline: .number, takesSupportingRows: true, inlineTrend: [.medium], badgeTrend: [.large],
            rangeLine: [.large]),
        .progress: TemplateFace(
            accent: .green, headline: .percentage, meter: .percentage, takesSupportingRows: true,
            badgeTrend: [.large]),
        .status: TemplateFace(accent: .blue, headline: .label, drawsSeverity: true, breaksSubtitle: true),
        .gauge: TemplateFace(
            accent: .orange, headline: .number, meter: .range, meterBounds: [.small, .medium, .large]),
        .statList: TemplateFace(accent: .indigo, list: .rows),
        .trend: TemplateFace(
            needsNewBuild: true, accent: .teal, headline: .number, list: .points,
            inlineTrend: [.small, .medium, .large, .rectangular]),
        .countdown: TemplateFace(needsNewBuild: true, accent: .indigo, headline: .timeLeft, meter: .window),
        .battery: TemplateFace(needsNewBuild: true, accent: .green, list: .devices),
        .schedule: TemplateFace(needsNewBuild: true, accent: .yellow, headline: .currentPeriod, list: .periods),
        .flow: TemplateFace(needsNewBuild: true, accent: .mint, list: .flow),
    ]
}
