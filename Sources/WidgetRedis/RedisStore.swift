public import WidgetContract
public import WidgetTelemetry
public import WidgetWorker

/// The store that many workers share, in a Redis server, a master behind sentinels, or a cluster.
///
/// A batch costs two round trips: what it asks for is one pipeline, what it changes is one script, which compares, then
/// writes all of it or nothing. All keys are in one slot of a cluster (`Keys`). It connects when it is first asked; every
/// fault of the surroundings is transient.
public final class RedisStore: WidgetStore {
    /// Of a fan-out: how late it may be before another worker serves it, and how long that one has. Milliseconds.
    private static let (patience, turn): (Int64, Int64) = (2_000, 30_000)
    /// Fan-outs that are taken over at once.
    private static let mostPushes = 500

    private let session: Session
    private let queues: [String]
    private let isSingleConsumer: Bool
    private let window: DedupeWindow
    private let clock: (() -> Int64)?
    private let lives: CommitCommand.Lives
    /// This worker among others.
    private let worker: String
    /// What commits are held against, of the queues that were taken over.
    private var owners: [String?]
    /// Deliveries up to these numbers are forgotten.
    private var forgotten: [Int64]
    private var lastNumber: Int64 = 0
    /// The clock of the last commit.
    private var lastNow = Int64.min
    private var attempts = Attempts()
    /// Something may have become this worker's without its knowledge.
    private var isUnsure = false
    private var isClosed = false

    /// - Parameters:
    ///   - queues: names of those that deliveries come from.
    ///   - isSingleConsumer: no two workers have deliveries of a queue at once; else nobody owns one.
    ///   - dedupeWindow: how long a message id is remembered, at least; at most half as long again.
    ///   - clock: the present in milliseconds since 1970, by which ids are looked up. Without it the last commit's clock
    ///     counts.
    ///   - lease: how long this worker counts as there since it was last heard of; then others take what it left.
    public init(
        address: RedisAddress, queues: [String], isSingleConsumer: Bool = true,
        dedupeWindow: Duration = .seconds(86_400), clock: (() -> Int64)? = nil, lease: Duration = .seconds(10),
        log: Log = .none
    ) {
        session = Session(address, for: .work, log: log)
        self.queues = queues
        self.isSingleConsumer = isSingleConsumer
        self.clock = clock
        window = DedupeWindow(dedupeWindow)
        lives = CommitCommand.Lives(
            lease: Int(lease / .milliseconds(1)), attempt: 86_400_000, entrySlack: 60_000)
        worker = String(UInt64.random(in: 1...UInt64.max), radix: 16)
        owners = Array(repeating: nil, count: queues.count)
        forgotten = Array(repeating: 0, count: queues.count)
    }

    public var isShared: Bool { true }

    // MARK: Looking up

    public func find(_ lookup: StoreLookup) throws -> StoreFindings {
        try reporting { () throws(RedisFault) in try Lookup(lookup, session.keys).ask(session, now: clock?() ?? lastNow)
        }
    }

    public func load(_ addresses: [WidgetAddress]) throws -> [StoredWidget?] {
        var lookup = StoreLookup()
        lookup.addresses = addresses
        return try find(lookup).widgets
    }

    public func recall(_ keys: [InboxKey]) throws -> [InboxEntry?] {
        var lookup = StoreLookup()
        lookup.keys = keys
        return try find(lookup).entries
    }

    public func liveWidgets(in account: String) throws -> Int {
        var lookup = StoreLookup()
        lookup.accounts = [account]
        return try find(lookup).liveWidgets[0]
    }

    // MARK: Committing

    public func commit(_ changes: StoreChanges) throws -> Commit {
        let concerned = queues.indices.compactMap { queue($0, changes) }
        let command = CommitCommand(
            changes, queues: concerned, keys: session.keys, worker: worker,
            window: window, lives: lives)
        let (number, lost, widgets) = try reporting { () throws(RedisFault) in
            var arguments = Command(worker, String(attempts.number(of: command)), String(lastNumber))
            arguments.add(argumentsOf: command.arguments)
            let reply = try session.run(.commit, keys: command.keys, arguments: arguments).list(3)
            return (try reply[0].integer(), try reply[1].integers(), try reply[2].integers())
        }
        attempts.settled()
        guard number > 0 else {
            throw LostComparison(
                addresses: widgets.map { changes.widgets[Int($0)].address },
                queues: lost.map { concerned[Int($0)].number })
        }
        lastNumber = number
        lastNow = changes.now
        for (index, upTo) in changes.forgottenDeliveries.enumerated() { forgotten[index] = max(forgotten[index], upTo) }
        return Commit(number: number)
    }

    /// `nil` where nothing of a batch is that queue's.
    private func queue(_ number: Int, _ changes: StoreChanges) -> CommitCommand.Queue? {
        let upTo = number < changes.forgottenDeliveries.count ? changes.forgottenDeliveries[number] : 0
        let deliveries = changes.deliveries.filter { $0.queue == number }
        guard upTo > forgotten[number] || !deliveries.isEmpty else { return nil }
        return CommitCommand.Queue(
            number: number, name: queues[number], owner: isSingleConsumer ? owners[number] ?? "nobody" : nil,
            forgotten: upTo > forgotten[number] ? upTo : nil,
            deliveries: deliveries.map(\.fingerprint))
    }

    // MARK: What others left

    public func takeOver(queue: Int) throws -> QueueLeftovers {
        let keys = session.keys
        let name = queues[queue]
        return try reporting { () throws(RedisFault) in
            let reply = try session.run(
                .takeOver,
                keys: Command(
                    keys.number, keys.outbox, keys.outboxOwners, keys.owner(of: name), keys.deliveries(of: name)),
                arguments: Command(worker, name)
            ).list(3)
            owners[queue] = String(decoding: try reply[0].bytes(), as: UTF8.self)
            return QueueLeftovers(
                outcomes: try Leftovers.outcomes(reply[1]), deliveries: try Leftovers.deliveries(reply[2]))
        }
    }

    public func takeOverAbandoned(at now: Int64) throws -> AbandonedWork {
        let keys = session.keys
        let wasUnsure = isUnsure
        isUnsure = true
        return try reporting { () throws(RedisFault) in
            let reply = try session.run(
                .abandoned,
                keys: Command(keys.workers, keys.outbox, keys.outboxOwners, keys.due, keys.pending),
                arguments: Command(
                    worker, String(lives.lease), wasUnsure ? "1" : "0", String(now - Self.patience),
                    String(now + Self.turn), String(Self.mostPushes))
            ).list(2)
            let work = AbandonedWork(
                outcomes: try Leftovers.outcomes(reply[0]), pushes: try Leftovers.pushes(reply[1]))
            isUnsure = false
            return work
        }
    }

    public func unsettledOutcomes() throws -> [NumberedOutcomes] {
        try reporting { () throws(RedisFault) in
            try Leftovers.outcomes(session.call([Command("HGETALL", session.keys.outbox)])[0])
        }
    }

    public func pendingPushes() throws -> [PendingPush] {
        try reporting { () throws(RedisFault) in
            try Leftovers.pushes(session.call([Command("HGETALL", session.keys.pending)])[0])
        }
    }

    public func rememberedDeliveries() throws -> [Fingerprint] {
        try reporting { () throws(RedisFault) in
            let replies = try session.call(
                queues.map { Command("ZRANGE", session.keys.deliveries(of: $0), "0", "-1") })
            var fingerprints: [Fingerprint] = []
            for reply in replies { fingerprints += try Leftovers.deliveries(reply) }
            return fingerprints
        }
    }

    /// Gives up the lease, so that others take at once what is left, and closes the connection.
    public func close() throws {
        session.tell(Command("ZADD", session.keys.workers, "0", worker))
        session.close()
        isClosed = true
    }

    private func reporting<Result>(_ body: () throws(RedisFault) -> Result) throws -> Result {
        guard !isClosed else { throw StoreError("the store \(session.address) is closed", isTransient: false) }
        do throws(RedisFault) {
            return try body()
        } catch {
            throw error.storeError(of: session.address.description)
        }
    }
}
