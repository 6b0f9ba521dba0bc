import WidgetContract
public import WidgetTime

extension BatchDecider {
    /// Fans out the newest state of widgets whose throttle window has ended.
    /// - Parameters:
    ///   - now: stamps the commit.
    ///   - steadyNow: the clock that windows go by, milliseconds since 1970.
    ///   - limit: how many at most.
    /// - Returns: what the store has to keep; `nil` when nothing is due.
    /// - Throws: `StoreError`; what is due stays due.
    public mutating func pushDue(
        now: Timestamp, steadyNow: Int64, limit: Int, store: any WidgetStore
    ) throws -> StoreChanges? {
        guard var due = pushes?.takeDue(at: steadyNow, limit: limit), !due.isEmpty else { return nil }
        beginBatch(steadyNow: steadyNow)
        do {
            due = try withWidgets(due, from: store)
        } catch {
            pushes?.putBack(due)
            throw error
        }
        var changes = StoreChanges(now: now.milliseconds)
        for push in due {
            guard let slot = cache.slot(of: push.address), let widget = cache.widget(in: slot),
                let fanOut = FanOut(push, of: widget)
            else { continue }
            fanOut.write(widget, storedAt: changes.widgets.count, to: &changes.outcomes)
            if sharing != .none { changes.replaced.append(cache.version(in: slot)) }
            cache.notePush(slot, at: steadyNow)
            if let stored = cache.stored(in: slot) { changes.widgets.append(stored) }
        }
        pushes?.store(in: &changes)
        return changes
    }

    /// Caches the widgets of pushes that are due.
    /// - Returns: the pushes, those left out that another worker has made meanwhile, or made wait longer.
    private mutating func withWidgets(_ due: [PendingPush], from store: any WidgetStore) throws -> [PendingPush] {
        var lookup = StoreLookup()
        lookup.addresses = due.map(\.address).filter { cache.slot(of: $0) == nil }
        guard !lookup.isEmpty else { return due }
        let found = try store.find(lookup)
        try cacheWidgets(lookup.addresses, found)
        guard sharing != .none else { return due }
        var current = Dictionary(due.map { ($0.address, $0) }, uniquingKeysWith: { $1 })
        for (address, push) in zip(lookup.addresses, found.pending) {
            if let push, push.dueAt <= steadyNow {
                current[address] = push
            } else {
                current[address] = nil
                let now = steadyNow
                pushes?.adopt([push], at: [address], now: now)
            }
        }
        return due.compactMap { current[$0.address] }
    }

    /// Takes pushes on whose windows have ended and that nobody serves.
    mutating func adopt(_ abandoned: [PendingPush], steadyNow: Int64) {
        pushes?.adopt(abandoned, at: abandoned.map(\.address), now: steadyNow)
        for push in abandoned { cache.remove(push.address) }
    }

    /// How many fan-outs wait.
    var pendingPushes: Int { pushes?.count ?? 0 }
    var cachedWidgets: Int { cache.count }

    /// When the next fan-out may be due, milliseconds of the steady clock.
    var nextPushDue: Int64? { pushes?.nextDue }
}
