import Synchronization
public import WidgetContract
public import WidgetWorker

/// A memory store that fails when a test wants it to, and that any thread may look into.
public final class FailingStore: WidgetStore, Sendable {
    public enum Operation: CaseIterable, Sendable {
        case load, recall, count, commit, unsettled, remembered, pending
    }

    private struct State {
        let store = MemoryStore()
        var failing: Set<Operation> = []
        var isTransient = true
        var faultsToCome = 0
        var faults = 0
        var commits: [StoreChanges] = []
    }

    /// Where commits are recorded, and what the ports beside this store record in, too.
    public let calls = PortCalls()
    private let state = Mutex(State())

    public init() {}

    /// The next so many of these operations throw.
    public func fail(_ operations: Set<Operation>, times: Int, isTransient: Bool = true) {
        state.withLock { state in
            state.failing = operations
            state.faultsToCome = times
            state.isTransient = isTransient
        }
    }

    /// How often it has thrown.
    public var faults: Int { state.withLock { $0.faults } }

    /// What was committed, in order.
    public var commits: [StoreChanges] { state.withLock { $0.commits } }

    /// The numbers of the batches that are not settled.
    public var unsettled: [Int64] { state.withLock { $0.store.unsettledOutcomes().map(\.number) } }

    /// The fan-outs that wait.
    public var pending: [PendingPush] { state.withLock { $0.store.pendingPushes() } }

    /// The widget as it is stored.
    public func widget(_ slug: String, in account: String = "acme") -> StoredWidget? {
        state.withLock { $0.store.load([WidgetAddress(account: account, slug: slug)])[0] }
    }

    public func load(_ addresses: [WidgetAddress]) throws -> [StoredWidget?] {
        try attempt(.load) { $0.store.load(addresses) }
    }

    public func recall(_ keys: [InboxKey]) throws -> [InboxEntry?] {
        try attempt(.recall) { $0.store.recall(keys) }
    }

    public func liveWidgets(in account: String) throws -> Int {
        try attempt(.count) { $0.store.liveWidgets(in: account) }
    }

    public func commit(_ changes: StoreChanges) throws -> Commit {
        let commit = try attempt(.commit) { state in
            state.commits.append(changes)
            return state.store.commit(changes)
        }
        calls.record(.committed(commit.number))
        return commit
    }

    public func unsettledOutcomes() throws -> [NumberedOutcomes] {
        try attempt(.unsettled) { $0.store.unsettledOutcomes() }
    }

    public func rememberedDeliveries() throws -> [Fingerprint] {
        try attempt(.remembered) { $0.store.rememberedDeliveries() }
    }

    public func pendingPushes() throws -> [PendingPush] {
        try attempt(.pending) { $0.store.pendingPushes() }
    }

    public func close() {
        calls.record(.storeClosed)
    }

    private func attempt<Result: Sendable>(_ operation: Operation, _ work: (inout State) -> Result) throws -> Result {
        try state.withLock { state in
            if state.faultsToCome > 0 && state.failing.contains(operation) {
                state.faultsToCome -= 1
                state.faults += 1
                throw StoreError("the store is out of order", isTransient: state.isTransient)
            }
            return work(&state)
        }
    }
}
