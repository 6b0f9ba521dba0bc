/// The inbox as one batch sees it: what the store knew of its ids, and what the batch adds.
struct BatchInbox {
    private var entries: [InboxKey: InboxEntry] = [:]
    private var writtenKeys: [InboxKey] = []

    init(known: [InboxEntry?] = []) {
        for case let entry? in known { entries[entry.key] = entry }
    }

    subscript(key: InboxKey) -> InboxEntry? { entries[key] }

    mutating func write(_ entry: InboxEntry) {
        entries[entry.key] = entry
        writtenKeys.append(entry.key)
    }

    /// The entries to store, each once.
    var written: [InboxEntry] {
        var isListed: Set<InboxKey> = []
        return writtenKeys.compactMap { isListed.insert($0).inserted ? entries[$0] : nil }
    }
}
