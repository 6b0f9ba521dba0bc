import WidgetContract
public import WidgetTelemetry
import WidgetTime

/// The worker: takes what its mailbox holds, leads batches through their stages, and ends in order.
///
/// Everything here happens on the thread that calls `run`; source and publisher have threads of their own.
public final class Worker {
    public struct Configuration: Sendable {
        public var limits = MessageLimits()
        /// Most deliveries of a batch, and most unacknowledged ones of a queue.
        public var prefetch = 1000
        /// How many queues the source consumes.
        public var queues = 1
        /// No other worker has deliveries of a queue while this one has some.
        public var isOnlyConsumer = true
        public var cachedWidgets = 100_000
        /// Between fan-outs of a widget that has no throttle of its own; 0 for none.
        public var throttleSeconds = 15
        public var unroutable = UnroutablePolicy.keep
        /// From the request to stop to the end.
        public var drainMilliseconds = 25_000

        public init() {}
    }

    /// With nothing to do for this long, what is settled is stored, and the store does what it put off.
    static let idleMilliseconds = 500
    /// Observers see the loop turn at least so often.
    static let longestWait = 1_000

    let source: any DeliverySource
    let publisher: any OutcomePublisher
    let store: any WidgetStore
    let configuration: Configuration
    let clock: WorkerClock
    let log: Log
    let notes: any CrashNotes
    let events: Mailbox<WorkerEvent>

    /// Milliseconds since 1970 at the monotonic clock's beginning: throttle windows go by a clock that nobody sets.
    private let steadyStart: Int64
    var decider: BatchDecider
    var backlog = Backlog()
    var outbox: Outbox
    /// `forgotten.upTo` as the store has it.
    var storedForgotten: [Int64]
    var forgotten: ForgottenDeliveries
    var sharing: SharedWork
    /// When the store last did something, by the monotonic clock.
    var lastStored = 0
    var status: WorkerStatus
    var drain = Drain()
    private var quarantine: Quarantine
    var summary = WorkerSummary()

    /// - Throws: `StoreError` when the store cannot tell what an earlier run left.
    public init(
        source: any DeliverySource, publisher: any OutcomePublisher, store: any WidgetStore,
        configuration: Configuration, events: Mailbox<WorkerEvent>, notes: any CrashNotes = NoCrashNotes(),
        observers: [any WorkerObserver] = [], clock: WorkerClock = .system, log: Log
    ) throws {
        self.source = source
        self.publisher = publisher
        self.store = store
        self.configuration = configuration
        self.events = events
        self.notes = notes
        status = WorkerStatus(observers: observers, log: log)
        outbox = Outbox(policy: configuration.unroutable)
        quarantine = Quarantine(notes.crashes())
        self.clock = clock
        self.log = log
        forgotten = ForgottenDeliveries(
            queues: configuration.queues, prefetch: configuration.prefetch * configuration.queues)
        storedForgotten = forgotten.upTo
        sharing = SharedWork(store, isOnlyConsumer: configuration.isOnlyConsumer)
        steadyStart = clock.now().milliseconds - Int64(clock.monotonicMilliseconds())
        decider = BatchDecider(
            limits: configuration.limits, cachedWidgets: configuration.cachedWidgets, sharing: sharing.kind,
            queues: configuration.queues, prefetch: configuration.prefetch,
            pushes: PushSchedule(
                throttleSeconds: configuration.throttleSeconds,
                pending: store.isShared ? [] : try store.pendingPushes(), now: clock.now().milliseconds),
            notes: notes)
        if !store.isShared { decider.begin(queue: 0, remembered: try store.rememberedDeliveries()) }
    }

    /// Works until `.drain` arrives and everything in hand is finished, or its deadline is over.
    /// - Throws: `StoreError` for a fault of the store that waiting does not mend.
    public func run() throws -> WorkerSummary {
        publisher.start(reportingTo: events)
        let unsettled = store.isShared ? [] : try store.unsettledOutcomes()
        for batch in unsettled { outbox.replay(batch, by: publisher) }
        if quarantine.isActive {
            log.warning("an earlier run crashed; what it had in hand is run alone", ["crashes": notes.crashes().count])
        }
        if !unsettled.isEmpty { log.info("publishing what an earlier run left", ["batches": unsettled.count]) }
        source.start(reportingTo: events)
        status.begin()
        while !drain.isOver {
            tellObservers()
            let taken = events.take(waitingMilliseconds: waitMilliseconds)
            for event in taken { receive(event) }
            acknowledgePublished()
            outbox.republish(at: clock.monotonicMilliseconds(), by: publisher)
            try takeOverAbandoned()
            try workOffBacklog()
            try pushDue()
            if taken.isEmpty { try storeSettled() }
            try giveStoreLeisure()
            advanceDrain()
        }
        return try finish()
    }

    // MARK: Events

    func receive(_ event: WorkerEvent) {
        switch event {
        case .deliveries(let deliveries):
            backlog.add(deliveries, isKept: !drain.isUnderWay)
        case .sourceReady(let generation):
            summary.measures.sourceConnections += 1
            backlog.connected(generation)
            decider.connectionChanged()
            forgotten.connectionChanged()
            sharing.connectionChanged()
            status.note { $0.source = nil }
        case .sourceLost(let reason):
            backlog.disconnected()
            status.note { $0.source = reason }
            drain.sourceStopped()
        case .sourceClosedInOrder:
            forgotten.closedInOrder()
            decider.connectionClosedInOrder()
        case .sourceCancelled:
            drain.sourceStopped()
        case .published(let confirmations):
            published(confirmations)
        case .publisherReady:
            summary.measures.publisherConnections += 1
            status.note { $0.publisher = nil }
        case .publisherLost(let reason):
            status.note { $0.publisher = reason }
        case .publisherBlocked(let isBlocked):
            status.note { $0.isBlocked = isBlocked }
        case .refused(let reason):
            log.error("the broker refuses us", ["reason": reason])
        case .drain:
            guard !drain.isUnderWay else { break }
            status.note { $0.isDraining = true }
            backlog.removeAll()
            drain.begin(deadline: clock.monotonicMilliseconds() + configuration.drainMilliseconds)
            source.cancel()
        }
    }

    private func published(_ confirmations: Confirmations) {
        let unroutable = confirmations.unroutable.count
        if let nanoseconds = outbox.confirm(confirmations, at: clock.monotonicNanoseconds()) {
            summary.measures.confirming.observe(Double(nanoseconds) / 1e9)
        }
        summary.measures.unroutable += unroutable
        status.note { $0.unroutable = outbox.unrouted }
        if unroutable > 0 && configuration.unroutable != .ignore {
            log.warning("outcomes reach no queue", ["batch": confirmations.batch, "outcomes": unroutable])
        }
    }

    func tellObservers() {
        guard status.isObserved else { return }
        summary.measures.unacknowledged = backlog.unacknowledged
        summary.measures.outbox = outbox.batches
        summary.measures.pending = decider.pendingPushes
        summary.measures.cachedWidgets = decider.cachedWidgets
        (summary.measures.cacheHits, summary.measures.cacheMisses) = (decider.cacheHits, decider.cacheMisses)
        summary.measures.isBlocked = status.readiness.isBlocked
        summary.measures.isReady = status.readiness.isReady
        status.turned(summary.measures)
    }

    // MARK: Batches

    private func workOffBacklog() throws {
        while !backlog.isEmpty && !outbox.isFull && !drain.isUnderWay {
            guard let intake = takeIntake(), try takeOver(intake.queues), try finish(intake) else { return }
            acknowledgePublished()
        }
    }

    /// Decides a batch and stores it, again for as long as other workers are faster.
    /// - Returns: false when the drain's deadline is over before the store has it.
    private func finish(_ intake: consuming Intake) throws -> Bool {
        while true {
            let before = summary
            guard var changes = try decide(intake) else { return true }
            switch try commit(&changes) {
            case .stored(let commit):
                publish(intake.decided(changes).stored(by: commit))
                return true
            case .lost(let comparison):
                summary = before
                guard comparison.queues.isEmpty else {
                    deliveriesAreLost(of: comparison.queues)
                    return true
                }
            case .late:
                summary = before
                summary.isClean = false
                return false
            }
        }
    }

    private func takeIntake() -> Intake? {
        let (deliveries, isRefused) = backlog.take(
            limit: configuration.prefetch, quarantine, fingerprint: decider.fingerprint)
        if isRefused, let message = deliveries.first?.message {
            log.error(
                "a message was in hand at two crashes and is quarantined",
                [
                    "routing_key": message.routingKey,
                    "message_id": String(decoding: message.messageID ?? [], as: UTF8.self),
                    "traceparent": message.traceparent ?? "",
                ])
        }
        return Intake(deliveries, isQuarantined: isRefused)
    }

    /// Fans out what waited for the end of its throttle window.
    private func pushDue() throws {
        while !outbox.isFull && !drain.isUnderWay {
            let changes = try withRetries {
                try decider.pushDue(
                    now: clock.now(), steadyNow: steadyNow, limit: configuration.prefetch, store: store)
            }
            guard var changes = changes ?? nil else { return }
            switch try commit(&changes) {
            case .stored(let commit):
                publish(Decided(pushes: changes).stored(by: commit))
                summary.measures.fanOuts += changes.outcomes.count
                changes.outcomes.visit { summary.measures.coalesced += $0.coalesced }
            case .lost: continue
            case .late:
                summary.isClean = false
                return
            }
            acknowledgePublished()
        }
    }

    private func publish(_ stage: consuming Stored) {
        status.stored(stage.batch.outcomes)
        outbox.add(stage, publishingBy: publisher, at: clock.monotonicNanoseconds())
        notes.hold(.nothing)
    }

    /// Milliseconds since 1970, rising steadily.
    var steadyNow: Int64 { steadyStart + Int64(clock.monotonicMilliseconds()) }

    /// - Returns: `nil` when the deliveries' connection is gone, so that they come back, or when the drain's deadline
    ///   is over.
    private func decide(_ intake: borrowing Intake) throws -> StoreChanges? {
        var measures = summary.measures
        let begin = clock.monotonicNanoseconds()
        let changes: StoreChanges?? = try withRetries {
            guard intake.generation == backlog.generation else { return nil }
            measures = summary.measures
            return try intake.changes(by: &decider, clock: clock, steadyNow: steadyNow, store: store) {
                message, verdict in
                measures.count(message, verdict)
            }
        }
        guard let changes = changes ?? nil else { return nil }
        measures.deciding.observe(seconds(since: begin))
        measures.batchSizes.observe(Double(intake.count))
        summary.measures = measures
        return changes
    }

    func seconds(since begin: Int) -> Double { Double(clock.monotonicNanoseconds() - begin) / 1e9 }

    func acknowledgePublished() {
        while let published = outbox.next() {
            if let last = published.last, last.generation == backlog.generation {
                backlog.acknowledged(upTo: last)
                let forgettable = forgotten.acknowledged(
                    published.number, lastTag: last.tag, published.deliveries, freshQueues: published.freshQueues)
                decider.forget(forgettable, returnsHaveCome: forgotten.returnsHaveCome)
            }
            if !published.freshQueues.isEmpty && quarantine.isActive {
                notes.clear()
                quarantine = Quarantine([])
            }
            published.acknowledge(to: source)
        }
    }

    // MARK: The end

    /// How long the mailbox may be waited for.
    private var waitMilliseconds: Int? {
        let now = clock.monotonicMilliseconds()
        var wait: Int? = outbox.settled.isEmpty ? nil : Self.idleMilliseconds
        if status.isObserved || store.isShared { wait = min(wait ?? .max, Self.longestWait) }
        if let due = outbox.nextRepublication { wait = min(wait ?? .max, max(0, due - now)) }
        if let due = storeLeisureDue { wait = min(wait ?? .max, max(0, due - now)) }
        if let due = decider.nextPushDue, !drain.isUnderWay, !outbox.isFull {
            wait = min(wait ?? .max, max(0, Int(clamping: due - steadyNow)))
        }
        if drain.isUnderWay { wait = min(wait ?? .max, max(0, min(drain.deadline - now, 100))) }
        return wait
    }

    private func advanceDrain() {
        guard drain.isUnderWay else { return }
        if drain.isSourceStopped && outbox.isEmpty { drain.finish() }
        if clock.monotonicMilliseconds() >= drain.deadline {
            if !outbox.isEmpty { summary.isClean = false }
            drain.finish()
        }
    }

    private func finish() throws -> WorkerSummary {
        source.close()
        if summary.isClean && backlog.generation != 0 { forgotten.closedInOrder() }
        publisher.close()
        try storeSettled()
        try store.close()
        return summary
    }
}
