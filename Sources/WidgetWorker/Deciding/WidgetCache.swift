import WidgetContract

/// The widgets used last, in memory: a bounded number, the ones not used for longest going first.
struct WidgetCache {
    private struct Slot {
        /// Of revision 0 where there never was one: its address is kept all the same, and any command makes of it what it
        /// makes of none. Never `nil`: a decider is lent it as it is.
        var widget: Widget?
        /// `StoredWidget.pushedAt`.
        var pushedAt: Int64?
        /// Looked at since the hand last came by.
        var isWarm = true
        /// Changed since `takeChange`: its place among what the batch changes.
        var changePlace: Int32 = -1

        var address: WidgetAddress? { widget?.address }
        func isAt(_ address: WidgetAddress) -> Bool {
            switch widget {
            case .none: false
            case .some(let widget): widget.address == address
            }
        }
        var isThere: Bool { widget.map { $0.revision > 0 } ?? false }
    }

    private let capacity: Int
    private var slots: [Slot] = []
    private var table = SlotTable()
    private var hand = 0

    /// - Parameter capacity: in widgets. It may be exceeded by one batch, since what a batch holds is not given up.
    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    var count: Int { slots.count }

    /// Where the address stands; `nil` when it is not cached.
    mutating func slot(of address: WidgetAddress) -> Int? {
        guard let slot = table.slot(of: address.digest, { slots[$0].isAt(address) }) else { return nil }
        slots[slot].isWarm = true
        return slot
    }

    /// `nil`: there never was a widget here.
    func widget(in slot: Int) -> Widget? { slots[slot].isThere ? slots[slot].widget : nil }

    /// Whether there is a widget in the slot that is not deleted.
    func isLive(_ slot: Int) -> Bool {
        switch slots[slot].widget {
        case .none: false
        case .some(let widget): widget.document != nil
        }
    }

    /// Lends the widget as it is, uncopied; `nil` where there never was one, or no slot.
    /// - Parameter companion: lent along with it, since what a closure captures of a mutating method is copied.
    mutating func lend<Companion, Result>(
        _ slot: Int?, with companion: Companion, _ body: (Widget?, Companion) -> Result
    ) -> Result {
        guard let slot, slots[slot].isThere else { return body(nil, companion) }
        return change(slot) { body($0, companion) }
    }

    /// Lends the widget to `change`, which changes it where it is.
    mutating func change<Result>(_ slot: Int, _ change: (inout Widget?) -> Result) -> Result {
        change(&slots[slot].widget)
    }

    func pushedAt(in slot: Int) -> Int64? { slots[slot].pushedAt }

    /// `nil`: there never was a widget here.
    func version(in slot: Int) -> WidgetVersion? {
        widget(in: slot).map { WidgetVersion(revision: $0.revision, pushedAt: slots[slot].pushedAt) }
    }

    /// As a store keeps what is in the slot.
    func stored(in slot: Int) -> StoredWidget? { widget(in: slot)?.stored(pushedAt: slots[slot].pushedAt) }

    /// Adds what the store has at an address that is not cached.
    mutating func insert(_ widget: Widget?, pushedAt: Int64? = nil, at address: WidgetAddress) -> Int {
        table.insert(slots.count, address.digest)
        // An array grows to twice its size by itself, and half of it may stay empty for good.
        if slots.count == slots.capacity { slots.reserveCapacity(slots.count + max(64, slots.count / 8)) }
        let none = Widget(address: address, revision: 0, sequence: nil, createdAt: 0, updatedAt: 0, document: nil)
        slots.append(Slot(widget: widget ?? none, pushedAt: pushedAt))
        return slots.count - 1
    }

    /// Notes that a batch changed a widget.
    /// - Parameter next: its place among what the batch changes, if this is the first change to it.
    /// - Returns: its place.
    mutating func noteChange(_ slot: Int, next: Int) -> Int {
        if slots[slot].changePlace < 0 { slots[slot].changePlace = Int32(next) }
        return Int(slots[slot].changePlace)
    }

    /// At the end of a batch, as a store keeps what it changed.
    mutating func takeChange(of slot: Int) -> StoredWidget? {
        slots[slot].changePlace = -1
        return stored(in: slot)
    }

    /// Notes when the widget is pushed; `nil` when that delays no other push.
    mutating func notePush(_ slot: Int, at moment: Int64?) {
        slots[slot].pushedAt = moment
    }

    /// Gives up what is at an address. Only between batches: slots move.
    mutating func remove(_ address: WidgetAddress) {
        if let slot = slot(of: address) { remove(slot) }
    }

    mutating func removeAll() {
        guard !slots.isEmpty else { return }
        self = WidgetCache(capacity: capacity)
    }

    /// Gives up slots beyond the capacity. Only between batches: slots move.
    mutating func trim() {
        while slots.count > capacity {
            if hand >= slots.count { hand = 0 }
            if slots[hand].isWarm {
                slots[hand].isWarm = false
                hand += 1
            } else {
                remove(hand)
            }
        }
    }

    /// The last slot moves into the freed place.
    private mutating func remove(_ slot: Int) {
        if let address = slots[slot].address { table.remove(slot, address.digest) }
        let last = slots.removeLast()
        if slot < slots.count {
            slots[slot] = last
            if let address = last.address { table.move(slots.count, to: slot, address.digest) }
        }
    }
}
