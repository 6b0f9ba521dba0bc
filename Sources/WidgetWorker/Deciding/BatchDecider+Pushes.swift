import WidgetContract
import WidgetTime

extension BatchDecider {
    /// Fans out the newest state of widgets whose throttle window has ended.
    /// - Parameters:
    ///   - now: stamps the commit.
    ///   - steadyNow: the clock that windows go by, milliseconds since 1970.
    ///   - limit: how many at most.
    /// - Returns: what the store has to keep; `nil` when nothing is due.
    /// - Throws: `StoreError`; what is due stays due.
    mutating func pushDue(
        now: Timestamp, steadyNow: Int64, limit: Int, store: any WidgetStore
    ) throws -> StoreChanges? {
        guard let due = pushes?.takeDue(at: steadyNow, limit: limit), !due.isEmpty else { return nil }
        beginBatch(steadyNow: steadyNow)
        do {
            try fill(due.map(\.address).filter { cache.slot(of: $0) == nil }, from: store)
        } catch {
            pushes?.putBack(due)
            throw error
        }
        var changes = StoreChanges(now: now.milliseconds)
        for push in due {
            guard let slot = cache.slot(of: push.address), let widget = cache.widget(in: slot),
                let fanOut = FanOut(push, of: widget)
            else { continue }
            fanOut.write(widget, to: &changes.outcomes)
            cache.notePush(slot, at: steadyNow)
            if let stored = cache.stored(in: slot) { changes.widgets.append(stored) }
        }
        pushes?.store(in: &changes)
        return changes
    }

    /// How many fan-outs wait.
    var pendingPushes: Int { pushes?.count ?? 0 }
    var cachedWidgets: Int { cache.count }

    /// When the next fan-out may be due, milliseconds of the steady clock.
    var nextPushDue: Int64? { pushes?.nextDue }
}
