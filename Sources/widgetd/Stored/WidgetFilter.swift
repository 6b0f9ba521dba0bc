import WidgetContract

/// Which widgets `list` shows: a condition for each option.
struct WidgetFilter {
    let account: String?
    private let template: String?
    private let isStaleOnly: Bool
    private let now: Int64

    /// - Parameter now: milliseconds since 1970.
    init(_ values: OptionValues, now: Int64) throws {
        account = try values.text("account")
        template = try values.text("template")
        isStaleOnly = values.isSet("stale")
        self.now = now
    }

    func accepts(_ widget: Widget) -> Bool {
        if let template, widget.template != template { return false }
        if isStaleOnly, !widget.isStale(at: now) { return false }
        return true
    }

    /// ` of template gauge in account acme, stale`, for messages.
    var description: String {
        (template.map { " of template \($0)" } ?? "") + (account.map { " in account \($0)" } ?? "")
            + (isStaleOnly ? ", stale" : "")
    }
}
