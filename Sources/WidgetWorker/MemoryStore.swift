import Glibc
public import WidgetContract
import WidgetJSON

/// A store that lives as long as the process, for one queue.
///
/// It holds every widget, and the ids of the dedupe window; nothing else grows.
public final class MemoryStore: WidgetStore {
    private struct Remembered {
        var entry: InboxEntry
        var expiresAt: Int64
    }

    private let window: DedupeWindow
    private let clock: (() -> Int64)?
    private var widgets: [WidgetAddress: StoredWidget] = [:]
    private var liveCounts: [TextKey: Int] = [:]
    private var inbox: [MessageKey: Remembered] = [:]
    /// Keys by the moment at which their entries end, soonest first. An entry written again ends later than some
    /// generations that name it say.
    private var generations: [(expiresAt: Int64, keys: [MessageKey])] = []
    private var pending: [WidgetAddress: PendingPush] = [:]
    private var outbox: [NumberedOutcomes] = []
    private var deliveries: [(number: Int64, fingerprints: [Fingerprint])] = []
    private var lastNumber: Int64 = 0
    private var lastNow = Int64.min

    /// - Parameters:
    ///   - dedupeWindow: how long a message id is remembered, at least; at most half as long again.
    ///   - clock: the present in milliseconds since 1970, by which ids are looked up. Without it the last commit's
    ///     clock counts, so that an idle store goes on finding what has ended meanwhile.
    public init(dedupeWindow: Duration = .seconds(86_400), clock: (() -> Int64)? = nil) {
        window = DedupeWindow(dedupeWindow)
        self.clock = clock
    }

    public func load(_ addresses: [WidgetAddress]) -> [StoredWidget?] {
        addresses.map { widgets[$0] }
    }

    public func recall(_ keys: [InboxKey]) -> [InboxEntry?] {
        let now = clock?() ?? lastNow
        return keys.map { key in
            guard let remembered = inbox[MessageKey(key)], remembered.expiresAt > now else { return nil }
            return remembered.entry
        }
    }

    public func liveWidgets(in account: String) -> Int {
        liveCounts[TextKey(account)] ?? 0
    }

    public func commit(_ changes: StoreChanges) -> Commit {
        lastNumber += 1
        lastNow = changes.now
        for widget in changes.widgets { put(widget) }
        let entries = changes.recounted.isEmpty ? changes.inbox : changes.inbox + changes.recounted
        for entry in entries { put(entry, at: changes.now) }
        expire(at: changes.now, limit: DedupeWindow.expiryLimit(afterAdding: entries.count))
        for push in changes.pending { pending[push.address] = push }
        for address in changes.noLongerPending { pending[address] = nil }
        if !changes.settled.isEmpty { outbox.removeAll { changes.settled.contains($0.number) } }
        if !changes.outcomes.isEmpty {
            outbox.append(NumberedOutcomes(number: lastNumber, outcomes: changes.outcomes))
        }
        let forgettable = changes.forgottenDeliveries.first ?? 0
        deliveries.removeFirst(deliveries.prefix { $0.number <= forgettable }.count)
        if !changes.deliveries.isEmpty { deliveries.append((lastNumber, changes.deliveries.map(\.fingerprint))) }
        return Commit(number: lastNumber)
    }

    public func unsettledOutcomes() -> [NumberedOutcomes] { outbox }

    public func pendingPushes() -> [PendingPush] { Array(pending.values) }

    public func rememberedDeliveries() -> [Fingerprint] { deliveries.flatMap(\.fingerprints) }

    public func close() {}

    private func put(_ widget: StoredWidget) {
        let before = widgets.updateValue(widget, forKey: widget.address)
        let wasLive = before?.document != nil
        let isLive = widget.document != nil
        if wasLive != isLive { liveCounts[TextKey(widget.address.account), default: 0] += isLive ? 1 : -1 }
    }

    private func put(_ entry: InboxEntry, at now: Int64) {
        let key = MessageKey(entry.key)
        let end = window.end(ofEntriesFrom: now)
        inbox[key] = Remembered(entry: entry, expiresAt: end)
        // Nearly always the last one.
        if let index = generations.lastIndex(where: { $0.expiresAt <= end }), generations[index].expiresAt == end {
            generations[index].keys.append(key)
        } else {
            generations.insert((end, [key]), at: generations.firstIndex { $0.expiresAt > end } ?? generations.endIndex)
        }
    }

    private func expire(at now: Int64, limit: Int) {
        var left = limit
        while left > 0, let end = generations.first?.expiresAt, end <= now {
            guard let key = generations[0].keys.popLast() else {
                generations.removeFirst()
                continue
            }
            left -= 1
            if let found = inbox.index(forKey: key), inbox[found].value.expiresAt == end { inbox.remove(at: found) }
        }
    }
}

/// A text that is equal to another when its bytes are: a composed and a decomposed é are two.
private struct TextKey: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: TextKey, right: TextKey) -> Bool {
        unsafe left.text.withBytes { left in unsafe right.text.withBytes { right in unsafe left.isEqual(to: right) } }
    }

    func hash(into hasher: inout Hasher) {
        unsafe text.withBytes { bytes in
            unsafe hasher.combine(bytes: bytes)
            hasher.combine(UInt8(0xFF))
        }
    }
}

/// An inbox key that is hashed in one go: an array would hand over byte by byte.
private struct MessageKey: Hashable {
    let account: TextKey
    let messageID: [UInt8]

    init(_ key: InboxKey) {
        account = TextKey(key.account)
        messageID = key.messageID
    }

    func hash(into hasher: inout Hasher) {
        unsafe messageID.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        hasher.combine(account)
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func isEqual(to other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        guard let start = baseAddress, let otherStart = other.baseAddress else { return true }
        return unsafe memcmp(start, otherStart, count) == 0
    }
}
