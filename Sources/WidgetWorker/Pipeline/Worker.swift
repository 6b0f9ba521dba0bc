import WidgetContract
public import WidgetTelemetry
import WidgetTime

/// The worker: takes what its mailbox holds, leads batches through their stages, and ends in order.
///
/// Everything here happens on the thread that calls `run`; source and publisher have threads of their own.
public final class Worker {
    public struct Configuration: Sendable {
        public var limits = MessageLimits()
        /// Most deliveries of a batch; the source's prefetch.
        public var prefetch = 1000
        public var cachedWidgets = 100_000
        /// Between fan-outs of a widget that has no throttle of its own; 0 for none.
        public var throttleSeconds = 15
        public var unroutable = UnroutablePolicy.keep
        /// From the request to stop to the end.
        public var drainMilliseconds = 25_000

        public init() {}
    }

    /// A store that failed is tried again after this pause, doubled up to the longest.
    private static let storePauseMilliseconds = 50...5_000
    /// With nothing to do for this long, what is settled is stored.
    private static let idleMilliseconds = 500
    /// Observers see the loop turn at least so often.
    private static let longestWait = 1_000

    private let source: any DeliverySource
    private let publisher: any OutcomePublisher
    private let store: any WidgetStore
    private let configuration: Configuration
    private let clock: WorkerClock
    private let log: Log
    private let notes: any CrashNotes
    private let events: Mailbox<WorkerEvent>

    /// Milliseconds since 1970 at the monotonic clock's beginning: throttle windows go by a clock that nobody sets.
    private let steadyStart: Int64
    private var decider: BatchDecider
    private var backlog = Backlog()
    private var outbox: Outbox
    /// `forgotten.upTo` as the store has it.
    private var storedForgotten: Int64 = 0
    private var forgotten: ForgottenDeliveries
    private var status: WorkerStatus
    private var drain = Drain()
    private var quarantine: Quarantine
    private var summary = WorkerSummary()

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
        forgotten = ForgottenDeliveries(prefetch: configuration.prefetch)
        steadyStart = clock.now().milliseconds - Int64(clock.monotonicMilliseconds())
        decider = BatchDecider(
            limits: configuration.limits, cachedWidgets: configuration.cachedWidgets,
            remembered: try store.rememberedDeliveries(), prefetch: configuration.prefetch,
            pushes: PushSchedule(
                throttleSeconds: configuration.throttleSeconds, pending: try store.pendingPushes(),
                now: clock.now().milliseconds), notes: notes)
    }

    /// Works until `.drain` arrives and everything in hand is finished, or its deadline is over.
    /// - Throws: `StoreError` for a fault of the store that waiting does not mend.
    public func run() throws -> WorkerSummary {
        publisher.start(reportingTo: events)
        let unsettled = try store.unsettledOutcomes()
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
            try workOffBacklog()
            try pushDue()
            if taken.isEmpty { try storeSettled() }
            advanceDrain()
        }
        return try finish()
    }

    // MARK: Events

    private func receive(_ event: WorkerEvent) {
        switch event {
        case .deliveries(let deliveries):
            backlog.add(deliveries, isKept: !drain.isUnderWay)
        case .sourceReady(let generation):
            summary.measures.sourceConnections += 1
            backlog.connected(generation)
            decider.connectionChanged()
            forgotten.connectionChanged()
            status.note { $0.source = nil }
        case .sourceLost(let reason):
            backlog.disconnected()
            status.note { $0.source = reason }
            drain.sourceStopped()
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

    private func tellObservers() {
        guard status.isObserved else { return }
        summary.measures.unacknowledged = backlog.unacknowledged
        summary.measures.outbox = outbox.batches
        summary.measures.pending = decider.pendingPushes
        summary.measures.cachedWidgets = decider.cachedWidgets
        summary.measures.isBlocked = status.readiness.isBlocked
        summary.measures.isReady = status.readiness.isReady
        status.turned(summary.measures)
    }

    // MARK: Batches

    private func workOffBacklog() throws {
        while !backlog.isEmpty && !outbox.isFull && !drain.isUnderWay {
            guard let intake = takeIntake() else { return }
            let before = summary
            guard let changes = try decide(intake) else { continue }
            guard try storeAndPublish(intake.decided(changes)) else {
                summary = before
                summary.isClean = false
                return
            }
            acknowledgePublished()
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
            guard let changes = changes ?? nil, try storeAndPublish(Decided(pushes: changes)) else { return }
            summary.measures.fanOuts += changes.outcomes.count
            changes.outcomes.visit { summary.measures.coalesced += $0.coalesced }
            acknowledgePublished()
        }
    }

    /// - Returns: false when the drain's deadline is over before the store has it.
    private func storeAndPublish(_ decided: consuming Decided) throws -> Bool {
        decided.changes.settled = outbox.settled
        decided.changes.forgottenDeliveries = forgotten.upTo
        guard let commit = try commit(decided.changes) else { return false }
        outbox.settledAreStored(decided.changes.settled.count)
        storedForgotten = decided.changes.forgottenDeliveries
        status.stored(decided.changes.outcomes)
        outbox.add(decided.stored(by: commit), publishingBy: publisher, at: clock.monotonicNanoseconds())
        notes.hold(.nothing)
        return true
    }

    /// Milliseconds since 1970, rising steadily.
    private var steadyNow: Int64 { steadyStart + Int64(clock.monotonicMilliseconds()) }

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

    private func seconds(since begin: Int) -> Double { Double(clock.monotonicNanoseconds() - begin) / 1e9 }

    private func commit(_ changes: StoreChanges) throws -> Commit? {
        let begin = clock.monotonicNanoseconds()
        let commit = try withRetries { try store.commit(changes) }
        summary.measures.storing.observe(seconds(since: begin))
        return commit
    }

    /// Waits for a store that is in trouble: nothing is rejected for it, and consumption pauses.
    /// - Returns: `nil` when the drain's deadline is over first.
    private func withRetries<Result>(_ work: () throws -> Result) throws -> Result? {
        var pause = Self.storePauseMilliseconds.lowerBound
        while true {
            do {
                let result = try work()
                status.note { $0.store = nil }
                return result
            } catch let error as StoreError where error.isTransient {
                summary.measures.storeFaults += 1
                status.note { $0.store = error.description }
            }
            let until = clock.monotonicMilliseconds() + pause
            while clock.monotonicMilliseconds() < until {
                let rest = until - clock.monotonicMilliseconds()
                for event in events.take(waitingMilliseconds: min(rest, Self.longestWait)) { receive(event) }
                tellObservers()
                acknowledgePublished()
                if drain.isUnderWay && clock.monotonicMilliseconds() >= drain.deadline {
                    summary.isClean = false
                    return nil
                }
            }
            pause = min(pause * 2, Self.storePauseMilliseconds.upperBound)
        }
    }

    private func acknowledgePublished() {
        while let published = outbox.next() {
            if let last = published.last, last.generation == backlog.generation {
                backlog.acknowledged(upTo: last)
                let forgettable = forgotten.acknowledged(
                    published.number, lastTag: last.tag, published.deliveries, hadFresh: published.hadFresh)
                decider.forget(forgettable, returnsHaveCome: forgotten.returnsHaveCome)
            }
            if published.hadFresh && quarantine.isActive {
                notes.clear()
                quarantine = Quarantine([])
            }
            published.acknowledge(to: source)
        }
    }

    /// Tells the store what is settled, when no batch comes along to carry it.
    private func storeSettled() throws {
        guard !outbox.settled.isEmpty || forgotten.upTo > storedForgotten else { return }
        var changes = StoreChanges(now: clock.now().milliseconds)
        changes.settled = outbox.settled
        changes.forgottenDeliveries = forgotten.upTo
        guard try commit(changes) != nil else { return }
        outbox.settledAreStored(changes.settled.count)
        storedForgotten = changes.forgottenDeliveries
    }

    // MARK: The end

    /// How long the mailbox may be waited for.
    private var waitMilliseconds: Int? {
        let now = clock.monotonicMilliseconds()
        var wait: Int? = outbox.settled.isEmpty ? nil : Self.idleMilliseconds
        if status.isObserved { wait = min(wait ?? .max, Self.longestWait) }
        if let due = outbox.nextRepublication { wait = min(wait ?? .max, max(0, due - now)) }
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
