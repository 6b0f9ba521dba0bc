import WidgetContract
import WidgetJSON

/// When a widget's newest state is fanned out (PROTOCOL section 2, coalescing): a change goes out at once when no
/// window is open, and opens one; what comes while it is open is gathered, and the newest state goes out when it ends.
///
/// A value without a clock: times are milliseconds of the worker's steady clock, which no step of the wall clock moves.
public struct PushSchedule {
    /// What to do about an accepted update.
    enum Action: Equatable {
        /// Push the widget now: these members changed, and so many earlier updates are in it.
        case push(changed: ChangedMembers, coalesced: Int)
        /// The window's end pushes it.
        case wait
        /// No device needs to know.
        case none
    }

    /// Milliseconds between pushes of a widget that has no throttle of its own; 0 for none.
    private let standardWindow: Int64
    private var pending: [WidgetAddress: PendingPush] = [:]
    /// May name addresses whose push went out, or is due at another time by now.
    private var queue = DueQueue<WidgetAddress>()
    /// Addresses at which memory and store differ.
    private var unstored: Set<WidgetAddress> = []

    /// - Parameters:
    ///   - throttleSeconds: between pushes of a widget that has no throttle of its own; 0 for none.
    ///   - pending: the store's `pendingPushes`.
    ///   - now: the steady clock.
    public init(throttleSeconds: Int, pending: [PendingPush] = [], now: Int64 = 0) {
        standardWindow = Int64(throttleSeconds) * 1000
        for push in pending {
            var push = push
            push.dueAt = min(push.dueAt, now + push.window)
            add(push)
        }
    }

    /// When the next push may be due.
    var nextDue: Int64? { queue.nextDue }
    var count: Int { pending.count }

    // MARK: Updates

    /// - Parameters:
    ///   - widget: as the update left it.
    ///   - isFirst: there was no widget, or a deleted one, at this address before.
    ///   - pushedAt: when it was pushed last.
    mutating func accept(
        _ accepted: Accepted, of message: Message, for widget: Widget?, isFirst: Bool, pushedAt: Int64?,
        now: Int64
    ) -> Action {
        guard let address = widget?.address else { preconditionFailure("an accepted message has a widget") }
        // Nearly always empty where there is no throttle: then nothing is hashed.
        let gathered = pending.isEmpty ? nil : pending[address]
        guard accepted.template != nil, !isFirst else {
            drop(address)
            return .push(changed: accepted.changed, coalesced: 0)
        }
        let isTold = !accepted.changed.isEmpty || widget?.document?.member("stale_after") != nil
        guard isTold || gathered != nil else { return .none }
        let changed = accepted.changed.union(gathered?.changed ?? [])
        let window = accepted.throttleSeconds.map { Int64($0 * 1000) } ?? standardWindow
        // A clock that went back cannot make a window longer than it is.
        let end = min((pushedAt ?? .min / 2) + window, now + window)
        if isTold, end <= now {
            drop(address)
            return .push(changed: changed, coalesced: gathered?.updates ?? 0)
        }
        let push = PendingPush(
            address: address, dueAt: isTold ? end : gathered?.dueAt ?? end, window: window, changed: changed,
            updates: (gathered?.updates ?? 0) + 1, minAppVersion: accepted.minAppVersion,
            traceparent: message.traceparent, tracestate: message.tracestate)
        unstored.insert(address)
        if push.dueAt == gathered?.dueAt { pending[address] = push } else { add(push) }
        return isTold ? .wait : .none
    }

    private mutating func add(_ push: PendingPush) {
        pending[push.address] = push
        queue.add(push.address, dueAt: push.dueAt)
    }

    private mutating func drop(_ address: WidgetAddress) {
        guard !pending.isEmpty, pending.removeValue(forKey: address) != nil else { return }
        unstored.insert(address)
    }

    // MARK: The end of windows

    /// Removes pushes that are due, at most so many, soonest first.
    mutating func takeDue(at now: Int64, limit: Int) -> [PendingPush] {
        var due: [PendingPush] = []
        while due.count < limit, let (dueAt, address) = queue.take(at: now) {
            guard let push = pending[address], push.dueAt == dueAt else { continue }
            drop(address)
            due.append(push)
        }
        return due
    }

    /// Pushes that could not be made after all.
    mutating func putBack(_ due: [PendingPush]) {
        for push in due {
            unstored.remove(push.address)
            add(push)
        }
    }

    // MARK: Other workers

    /// What a shared store has at these addresses, in place of what is known here.
    /// - Parameter now: no push waits longer than its window from now on, whatever another worker's clock said.
    mutating func adopt(_ found: [PendingPush?], at addresses: [WidgetAddress], now: Int64) {
        for (address, push) in zip(addresses, found) {
            leave(address)
            guard var push else { continue }
            push.dueAt = min(push.dueAt, now + push.window)
            add(push)
        }
    }

    /// Leaves the push at an address to whoever finds it in the store.
    mutating func leave(_ address: WidgetAddress) {
        guard !pending.isEmpty || !unstored.isEmpty else { return }
        pending[address] = nil
        unstored.remove(address)
    }

    mutating func leaveAll() {
        pending = [:]
        unstored = []
        queue = DueQueue()
    }

    // MARK: The store

    /// Adds what a store does not know yet.
    mutating func store(in changes: inout StoreChanges) {
        for address in unstored {
            if let push = pending[address] {
                changes.pending.append(push)
            } else {
                changes.noLongerPending.append(address)
            }
        }
        unstored.removeAll(keepingCapacity: true)
    }
}
