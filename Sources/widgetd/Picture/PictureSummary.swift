import WidgetPresentation

/// What a device shows of a widget, on one line: the headline, or what stands in its place, and a bar.
struct PictureSummary {
    let text: String
    /// How far the bar goes, 0 to 1; `nil` without one.
    let fraction: Double?
    let style: Style?
    /// The line below the headline.
    let subtitle: String

    init(_ shown: Presentation) {
        style = Style(shown.colors?.accent)
        fraction = shown.meter?.fraction
        subtitle = shown.subtitle.map(WidgetPicture.text) ?? shown.pills.joined(separator: "  ")
        if let unavailability = shown.unavailability {
            text = WidgetPicture.words(on: unavailability)
        } else if let headline = shown.headline {
            text = WidgetPicture.text(of: headline)
        } else {
            let parts =
                shown.rows.map { "\($0.label) \(WidgetPicture.text(of: $0.value))" }
                + shown.rings.map { "\($0.name) \($0.text)" }
                + shown.nodes.map { "\($0.name) \(WidgetPicture.text(of: $0.rate))" }
            text = parts.isEmpty ? shown.title ?? "" : parts.joined(separator: ", ")
        }
    }
}
