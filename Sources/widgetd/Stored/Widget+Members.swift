import WidgetContract
import WidgetJSON
import WidgetTime

/// What people look for in a stored widget.
extension Widget {
    var widgetName: String { string("name") ?? "" }

    var template: String? { contentString("template") }

    /// The moment from which devices show it as stale, milliseconds since 1970; `nil` when it never is.
    var staleAt: Int64? {
        guard let document, let position = document.member("stale_after"),
            let seconds = document.number(at: position), let span = Int64(exactly: (seconds * 1000).rounded())
        else { return nil }
        return updatedAt + span
    }

    func isStale(at now: Int64) -> Bool { staleAt.map { $0 <= now } ?? false }

    /// The bar that its content stands for, from 0 to 1.
    var fraction: Double? {
        guard let value = contentNumber("value") else { return nil }
        switch template {
        case Template.progress.rawValue: return value
        case Template.gauge.rawValue:
            let low = contentNumber("min_value") ?? 0
            let high = contentNumber("max_value") ?? 1
            return high > low ? (value - low) / (high - low) : nil
        default: return nil
        }
    }

    func contentString(_ member: String) -> String? {
        guard let document, let position = contentMember(member) else { return nil }
        return document.string(at: position)
    }

    /// As its sender wrote it, for a number; a string without its quotes.
    func contentText(_ member: String) -> String? {
        guard let document, let position = contentMember(member) else { return nil }
        return document.string(at: position) ?? String(decoding: document.textOfValue(at: position), as: UTF8.self)
    }

    func contentDate(_ member: String) -> Int64? {
        contentString(member).flatMap { DateTimeText.read(Array($0.utf8)[...])?.milliseconds }
    }

    private func contentNumber(_ member: String) -> Double? {
        guard let document, let position = contentMember(member) else { return nil }
        return document.number(at: position)
    }

    private func contentMember(_ member: String) -> Int? {
        guard let document, let content = document.member("content") else { return nil }
        return document.member(member, of: content)
    }

    private func string(_ member: String) -> String? {
        guard let document, let position = document.member(member) else { return nil }
        return document.string(at: position)
    }
}
