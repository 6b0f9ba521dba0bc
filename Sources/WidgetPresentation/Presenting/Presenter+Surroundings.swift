import WidgetTime

/// What stands around the headline on every template.
extension Presenter {
    mutating func showColors() {
        let severity = content["severity"]?.word(Severity.self)
        shown.symbol = content["icon"]?.text ?? (face.drawsSeverity ? Severity.symbol(severity) : nil)
        guard room.isHomeScreen else { return }
        shown.colors = Palette(
            accent: content["accent_color"]?.color ?? PresentedColor(severity?.color ?? face.accent),
            background: content["background_color"]?.color, text: content["text_color"]?.color)
    }

    mutating func showSubtitle() {
        guard room.hasSubtitle else { return }
        if isNewBuild, let timer = content["subtitle_timer"], let date = timer["date"]?.date {
            shown.subtitle = ticking(date, timer["style"]?.word(TimerStyle.self) ?? .timer)
        } else if let text = content["subtitle"]?.text {
            if face.breaksSubtitle {
                shown.pills = Self.pills(text)
            } else {
                shown.subtitle = Readout(text)
            }
        }
    }

    private static let separators: Set<Unicode.Scalar> = ["\u{B7}", "|", "\u{2022}", ",", ";"]

    private static func pills(_ text: String) -> [String] {
        text.unicodeScalars.split { separators.contains($0) }.compactMap { part in
            let rest = part.drop(while: \.properties.isWhitespace)
            guard let last = rest.lastIndex(where: { !$0.properties.isWhitespace }) else { return nil }
            return String(String.UnicodeScalarView(rest[...last]))
        }
    }

    mutating func showButtons() {
        shown.buttons = ButtonMark.Action.allCases.prefix(room.buttons).compactMap { slot in
            guard let action = content[slot.rawValue] else { return nil }
            let symbol = action["icon"]?.text
            return ButtonMark(
                action: slot, title: action["title"]?.text ?? (symbol == nil ? "Open" : nil), symbol: symbol)
        }
    }

    /// Home Screen families dim; those of the Lock Screen stay as they are.
    mutating func showStaleness() {
        guard room.isHomeScreen, let updatedAt = widget.updatedAt, let staleAfter = widget.staleAfter else { return }
        let moment = updatedAt.nanosecondsSinceEpoch + Int128(staleAfter) * 1_000_000_000
        note(change: moment)
        guard moment <= now else { return }
        var text: [UInt8] = []
        DateTimeText.write(milliseconds: updatedAt.milliseconds, to: &text)
        // 2026-11-30T12:03:10.250Z, to the minute.
        text[10] = 0x20
        shown.staleness = Staleness(
            asOf: updatedAt, text: "as of \(String(decoding: text[..<16], as: UTF8.self)) UTC")
    }
}
