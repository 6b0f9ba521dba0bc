/// Which widgets `list` shows: a condition for each option.
struct WidgetFilter {
    let account: String?
    private let template: String?
    private let isStaleOnly: Bool
    private let isPendingOnly: Bool
    private let now: Int64

    /// - Parameter now: milliseconds since 1970.
    init(_ values: OptionValues, now: Int64) throws {
        account = try values.text("account")
        template = try values.text("template")
        isStaleOnly = values.isSet("stale")
        isPendingOnly = values.isSet("pending")
        self.now = now
    }

    func accepts(_ entry: StoredWidgets.Entry) -> Bool {
        if let template, entry.widget.template != template { return false }
        if isStaleOnly, !entry.widget.isStale(at: now) { return false }
        if isPendingOnly, entry.pending == nil { return false }
        return true
    }

    /// ` of template gauge in account acme, stale`, for messages.
    var description: String {
        (template.map { " of template \($0)" } ?? "") + (account.map { " in account \($0)" } ?? "")
            + (isStaleOnly ? ", stale" : "") + (isPendingOnly ? ", with a pending fan-out" : "")
    }
}
