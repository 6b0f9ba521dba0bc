public import WidgetContract
public import WidgetTime

/// Decides one message as the worker would, against what is stored, and keeps nothing of it.
///
/// Only the message and its widget count: repeats, an account's number of widgets and the broker's word on who sent it
/// are the worker's to judge.
public enum DryRun {
    /// - Parameter reader: finds the widget; `nil` where nothing is stored.
    /// - Returns: also the widget as it would stand then.
    /// - Throws: `StoreError`.
    public static func verdict(
        on message: Message, at now: Timestamp, limits: MessageLimits, reader: (any WidgetReader)?
    ) throws -> (verdict: Verdict, widget: Widget?) {
        var limits = limits
        limits.mostWidgets = 0
        limits.bindsAccountToUser = false
        var decider = BatchDecider(limits: limits, cachedWidgets: 1)
        let store: any WidgetStore = reader.map(ReadOnlyStore.init) ?? MemoryStore()
        var result: (Verdict, Widget?)?
        _ = try decider.decide(
            [Delivery(message)], now: { _ in now }, store: store,
            each: { _, verdict, widget, _ in result = (verdict, widget) })
        guard let result else { preconditionFailure("a message has a verdict") }
        return result
    }
}

/// A reader where a store is wanted: it remembers no message.
private final class ReadOnlyStore: WidgetStore {
    private let reader: any WidgetReader

    init(_ reader: any WidgetReader) {
        self.reader = reader
    }

    func load(_ addresses: [WidgetAddress]) throws -> [StoredWidget?] {
        try addresses.map { try reader.widget(at: $0)?.widget }
    }

    func recall(_ keys: [InboxKey]) -> [InboxEntry?] { keys.map { _ in nil } }
    func liveWidgets(in account: String) -> Int { 0 }
    func commit(_ changes: StoreChanges) throws -> Commit {
        throw StoreError("nothing is written here", isTransient: false)
    }
    func unsettledOutcomes() -> [NumberedOutcomes] { [] }
    func pendingPushes() -> [PendingPush] { [] }
    func rememberedDeliveries() -> [Fingerprint] { [] }
    func close() {}
}
