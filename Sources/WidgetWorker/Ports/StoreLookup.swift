public import WidgetContract

/// What a batch asks a store.
public struct StoreLookup: Sendable {
    /// Of widgets; each once.
    public var addresses: [WidgetAddress] = []
    /// Of message ids; one may stand there twice.
    public var keys: [InboxKey] = []
    /// Of which the number of widgets is asked for.
    public var accounts: [String] = []

    public init() {}

    public var isEmpty: Bool { addresses.isEmpty && keys.isEmpty && accounts.isEmpty }
}

/// A store's answer to `StoreLookup`, in the order of its questions.
public struct StoreFindings: Sendable {
    /// `nil` where none ever was.
    public var widgets: [StoredWidget?] = []
    /// The fan-outs that wait at the addresses; only a shared store tells them here.
    public var pending: [PendingPush?] = []
    /// What was decided under the keys within the dedupe window.
    public var entries: [InboxEntry?] = []
    /// How many widgets that are not deleted an account has.
    public var liveWidgets: [Int] = []

    public init(
        widgets: [StoredWidget?] = [], pending: [PendingPush?] = [], entries: [InboxEntry?] = [],
        liveWidgets: [Int] = []
    ) {
        self.widgets = widgets
        self.pending = pending
        self.entries = entries
        self.liveWidgets = liveWidgets
    }
}
