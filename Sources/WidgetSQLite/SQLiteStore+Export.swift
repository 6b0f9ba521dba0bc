public import WidgetWorker

/// All that a store holds, for another one. What is decided goes on there, so nothing may write here meanwhile.
extension SQLiteStore {
    /// Visits all widgets, also deleted ones, so many at a time.
    public func visitWidgets(page: Int, _ visit: ([StoredWidget]) throws -> Void) throws {
        while hasPutOffWork { try workAtLeisure() }
        let rows = try Statement(
            opened().connection, "SELECT \(StoredWidget.columns) FROM widgets ORDER BY account, slug",
            during: "read widgets")
        defer { rows.reset() }
        var widgets: [StoredWidget] = []
        while try rows.step() {
            widgets.append(StoredWidget(rows))
            guard widgets.count == page else { continue }
            try visit(widgets)
            widgets = []
        }
        if !widgets.isEmpty { try visit(widgets) }
    }

    /// Visits what was decided under ids and has not ended at `now`, a commit's entries at a time, oldest first: of two
    /// entries under one key the later counts.
    public func visitEntries(at now: Int64, _ visit: ([InboxEntry]) throws -> Void) throws {
        let rows = try Statement(
            opened().connection,
            "SELECT entries, length(hashes) / 8 FROM inbox_rows WHERE expires_at > ?1 ORDER BY number",
            during: "read message ids")
        defer { rows.reset() }
        try rows.bind(1, now)
        while try rows.step() {
            let row = InboxRow(stored: rows.bytes(0))
            try visit(row.entries(Int(rows.integer(1))))
        }
    }
}
