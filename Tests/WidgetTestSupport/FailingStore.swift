import Synchronization
public import WidgetContract
public import WidgetWorker

/// A memory store that fails when a test wants it to, and that any thread may look into. When it is shared, a test plays
/// the other workers.
public final class FailingStore: WidgetStore, Sendable {
    public enum Operation: CaseIterable, Sendable {
        case load, recall, count, commit, unsettled, remembered, pending, takeOver, leisure
    }

    private struct State {
        let store = MemoryStore()
        var failing: Set<Operation> = []
        var isTransient = true
        var faultsToCome = 0
        var faults = 0
        var commits: [StoreChanges] = []
        var interferences: [@Sendable (MemoryStore) -> Void] = []
        var lostQueues: [Int] = []
        var leftovers: [Int: QueueLeftovers] = [:]
        var abandoned = AbandonedWork()
        var takenOver: [Int] = []
        var putOff = 0
    }

    /// Where commits are recorded, and what the ports beside this store record in, too.
    public let calls = PortCalls()
    private let state = Mutex(State())

    public let isShared: Bool

    public init(isShared: Bool = false) {
        self.isShared = isShared
    }

    // MARK: Other workers

    /// Right before each of the next commits, another worker writes.
    public func interfere(times: Int = 1, _ write: @escaping @Sendable (MemoryStore) -> Void) {
        state.withLock { $0.interferences = Array(repeating: write, count: times) }
    }

    /// Other workers have taken these queues over; the next commit hears of it.
    public func lose(queues: [Int]) { state.withLock { $0.lostQueues = queues } }

    /// What the queue's consumer before left.
    public func leave(_ leftovers: QueueLeftovers, in queue: Int) { state.withLock { $0.leftovers[queue] = leftovers } }

    /// What a worker that is gone left, for the next look.
    public func abandon(_ work: AbandonedWork) { state.withLock { $0.abandoned = work } }

    /// The queues that were taken over, in order.
    public var takenOver: [Int] { state.withLock { $0.takenOver } }

    /// The next so many of these operations throw.
    public func fail(_ operations: Set<Operation>, times: Int, isTransient: Bool = true) {
        state.withLock { state in
            state.failing = operations
            state.faultsToCome = times
            state.isTransient = isTransient
        }
    }

    /// So many times it has work to do at leisure.
    public func putOff(_ parts: Int) { state.withLock { $0.putOff = parts } }

    public var hasPutOffWork: Bool { state.withLock { $0.putOff > 0 } }

    public func workAtLeisure() throws { try attempt(.leisure) { $0.putOff -= 1 } }

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

    public func find(_ lookup: StoreLookup) throws -> StoreFindings {
        var found = StoreFindings(
            widgets: lookup.addresses.isEmpty ? [] : try load(lookup.addresses),
            entries: lookup.keys.isEmpty ? [] : try recall(lookup.keys),
            liveWidgets: try lookup.accounts.map(liveWidgets))
        if isShared {
            let pending = pending
            found.pending = lookup.addresses.map { address in pending.first { $0.address == address } }
        }
        return found
    }

    public func commit(_ changes: StoreChanges) throws -> Commit {
        let commit = try attempt(.commit) { state in
            state.interferences.popLast()?(state.store)
            if let lost = lostComparison(changes, &state) { return Result<Commit, any Error>.failure(lost) }
            state.commits.append(changes)
            return .success(state.store.commit(changes))
        }.get()
        calls.record(.committed(commit.number))
        return commit
    }

    private func lostComparison(_ changes: StoreChanges, _ state: inout State) -> LostComparison? {
        guard isShared else { return nil }
        let versions = state.store.load(changes.widgets.map(\.address)).map { widget in
            widget.map { WidgetVersion(revision: $0.revision, pushedAt: $0.pushedAt) }
        }
        let addresses = zip(changes.widgets, zip(changes.replaced, versions)).compactMap { widget, pair in
            pair.0 == pair.1 ? nil : widget.address
        }
        defer { state.lostQueues = [] }
        guard !addresses.isEmpty || !state.lostQueues.isEmpty else { return nil }
        return LostComparison(addresses: addresses, queues: state.lostQueues)
    }

    public func takeOver(queue: Int) throws -> QueueLeftovers {
        try attempt(.takeOver) { state in
            state.takenOver.append(queue)
            return state.leftovers.removeValue(forKey: queue) ?? QueueLeftovers()
        }
    }

    public func takeOverAbandoned(at now: Int64) throws -> AbandonedWork {
        try attempt(.takeOver) { state in
            defer { state.abandoned = AbandonedWork() }
            return state.abandoned
        }
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
