import WidgetContract

/// The inbox as one batch sees it: what the store knew of its ids, and what the batch adds.
struct BatchInbox {
    /// The known ones first, then the batch's new ones in their order.
    private var entries: [InboxEntry] = []
    private var knownCount = 0
    private var places: [InboxKey: Int] = [:]
    /// Of the known ones that changed.
    private var changedPlaces: Set<Int> = []

    /// - Parameters:
    ///   - found: what the store knows.
    ///   - count: how many new ones there may be.
    init(known found: [InboxEntry?] = [], expecting count: Int = 0) {
        entries.reserveCapacity(count)
        places.reserveCapacity(count)
        for case let entry? in found where places[entry.key] == nil { add(entry) }
        knownCount = entries.count
    }

    subscript(key: InboxKey) -> InboxEntry? { places[key].map { entries[$0] } }

    mutating func write(_ entry: InboxEntry) {
        guard let place = places[entry.key] else { return add(entry) }
        entries[place] = entry
        if place < knownCount { changedPlaces.insert(place) }
    }

    private mutating func add(_ entry: InboxEntry) {
        places[entry.key] = entries.count
        entries.append(entry)
    }

    /// The entries to store, each once: new ones, and known ones that changed.
    var written: (new: [InboxEntry], known: [InboxEntry]) {
        (Array(entries[knownCount...]), changedPlaces.sorted().map { entries[$0] })
    }
}

extension InboxEntry {
    /// What is to be remembered of the first decision under an id.
    /// - Parameter widget: as the decision left it.
    init(_ key: InboxKey, _ fingerprint: Fingerprint, _ verdict: Verdict, _ widget: Widget?) {
        switch verdict.answer {
        case .decided(.accepted(let accepted)):
            guard let widget else { preconditionFailure("an accepted message has a widget") }
            self.init(
                key: key, fingerprint: fingerprint,
                outcome: .accepted(
                    slug: widget.address.slug, revision: widget.revision, updatedAt: widget.updatedAt,
                    changed: accepted.changed.rawValue, deleted: widget.document == nil),
                rejections: 0)
        case .decided(.rejected), .repeated, .decidedBefore:
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
