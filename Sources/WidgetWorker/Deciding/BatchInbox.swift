import WidgetContract

/// The inbox as one batch sees it: what the store knew of its ids, and what the batch adds.
struct BatchInbox {
    private var entries: [InboxKey: InboxEntry] = [:]
    private var known: Set<InboxKey> = []
    private var writtenKeys: [InboxKey] = []

    init(known found: [InboxEntry?] = []) {
        for case let entry? in found {
            entries[entry.key] = entry
            known.insert(entry.key)
        }
    }

    subscript(key: InboxKey) -> InboxEntry? { entries[key] }

    mutating func write(_ entry: InboxEntry) {
        entries[entry.key] = entry
        writtenKeys.append(entry.key)
    }

    /// The entries to store, each once: new ones, and known ones that changed.
    var written: (new: [InboxEntry], known: [InboxEntry]) {
        var isListed: Set<InboxKey> = []
        var written: (new: [InboxEntry], known: [InboxEntry]) = ([], [])
        for key in writtenKeys where isListed.insert(key).inserted {
            guard let entry = entries[key] else { continue }
            if !known.isEmpty, known.contains(key) { written.known.append(entry) } else { written.new.append(entry) }
        }
        return written
    }
}

extension InboxEntry {
    /// What is to be remembered of the first decision under an id.
    /// - Parameter widget: as the decision left it.
    init(_ key: InboxKey, _ fingerprint: Fingerprint, _ verdict: Verdict, _ widget: Widget?) {
        switch (verdict.answer, widget) {
        case (.decided(.accepted(let accepted)), let widget?):
            self.init(
                key: key, fingerprint: fingerprint,
                outcome: .accepted(
                    slug: widget.address.slug, revision: widget.revision, updatedAt: widget.updatedAt,
                    changed: accepted.changed.rawValue, deleted: widget.document == nil),
                rejections: 0)
        default:
            self.init(
                key: key, fingerprint: fingerprint, outcome: .rejected(problem: verdict.problem), rejections: 1)
        }
    }

    /// The entry once another message was rejected for having its id.
    func countingRejection() -> InboxEntry {
        var entry = self
        entry.rejections += 1
        return entry
    }
}
