import Dispatch
import Synchronization
import Testing
import WidgetTelemetry
import WidgetTestSupport

@testable import WidgetWorker

/// A worker on a thread of its own, between a fake source and a fake publisher, under a clock that is moved by hand.
final class WorkerBench: Sendable {
    let store: FailingStore
    let source: FakeDeliverySource
    let publisher: FakePublisher
    let clock: ManualClock
    private let notes: any CrashNotes
    let events = Mailbox<WorkerEvent>()
    private let configuration: Worker.Configuration
    private let lines = Mutex<[String]>([])
    private let ending = Mutex<Result<WorkerSummary, any Error>?>(nil)
    private let barriers = Mutex(0)

    /// The worker consumes, or has ended, when this returns.
    /// - Parameters:
    ///   - store: that of an earlier run, or an empty one.
    ///   - prefetch: most deliveries of a batch.
    init(
        over store: FailingStore = FailingStore(), prefetch: Int = 1000, queues: Int = 1, isOnlyConsumer: Bool = true,
        unroutable: UnroutablePolicy = .keep,
        throttleSeconds: Int = 0, cachedWidgets: Int = 100_000, confirmsAtOnce: Bool = true,
        cancelsAtOnce: Bool = true, clock: ManualClock = ManualClock(), notes: any CrashNotes = NoCrashNotes()
    ) {
        self.clock = clock
        self.notes = notes
        self.store = store
        source = FakeDeliverySource(calls: store.calls, cancelsAtOnce: cancelsAtOnce)
        publisher = FakePublisher(calls: store.calls, confirmsAtOnce: confirmsAtOnce)
        var configuration = Worker.Configuration()
        configuration.prefetch = prefetch
        configuration.queues = queues
        configuration.isOnlyConsumer = isOnlyConsumer
        configuration.unroutable = unroutable
        configuration.throttleSeconds = throttleSeconds
        configuration.cachedWidgets = cachedWidgets
        self.configuration = configuration
        DispatchQueue(label: "worker").async {
            let result = Result { try self.run() }
            self.ending.withLock { $0 = result }
        }
        #expect(Poll.until { source.isConnected || hasEnded })
    }

    private func run() throws -> WorkerSummary {
        let log = Log(write: { line in self.lines.withLock { $0.append(line) } })
        let worker = try Worker(
            source: source, publisher: publisher, store: store, configuration: configuration, events: events,
            notes: notes, clock: clock.workerClock, log: log)
        return try worker.run()
    }

    // MARK: What a test does

    func drain() {
        events.post(.drain)
    }

    /// Waits for a condition; that it never holds is an issue.
    func until(sourceLocation: SourceLocation = #_sourceLocation, _ condition: () throws -> Bool) throws {
        try #require(try Poll.until(condition), sourceLocation: sourceLocation)
    }

    /// Waits until the worker has done all that it does about the events so far.
    func settle(sourceLocation: SourceLocation = #_sourceLocation) throws {
        // The second is received after the round of the first.
        for _ in 0..<2 {
            let barrier = barriers.withLock { count in
                count += 1
                return "barrier-\(count)-"
            }
            events.post(.refused(reason: barrier))
            try until(sourceLocation: sourceLocation) { hasLogged(barrier) }
        }
    }

    /// Asks for the end and waits for it.
    func finish(sourceLocation: SourceLocation = #_sourceLocation) throws -> WorkerSummary {
        drain()
        return try ended(sourceLocation: sourceLocation)
    }

    /// Waits for the end.
    /// - Throws: what the worker threw.
    func ended(sourceLocation: SourceLocation = #_sourceLocation) throws -> WorkerSummary {
        try until(sourceLocation: sourceLocation) { hasEnded }
        return try #require(ending.withLock { $0 }, sourceLocation: sourceLocation).get()
    }

    // MARK: What a test looks at

    var hasEnded: Bool { ending.withLock { $0 != nil } }

    var calls: [PortCalls.Call] { store.calls.all }

    /// The calls without those of the store.
    var brokerCalls: [PortCalls.Call] {
        calls.filter { call in
            switch call {
            case .committed, .storeClosed: false
            default: true
            }
        }
    }

    /// Entries of the log that say whether the worker is ready, without their time.
    var readinessLines: [String] {
        lines.withLock { $0 }.compactMap { line in
            let words = line.split(separator: " ", maxSplits: 1)[1]
            return words.hasPrefix("info ready") || words.contains(" not ready ") ? String(words) : nil
        }
    }

    func hasLogged(_ text: String) -> Bool {
        lines.withLock { $0.contains { $0.contains(text) } }
    }

    var acknowledgedTags: [UInt64] { source.acknowledged.map(\.tag) }
}

extension Message {
    /// Creates of `acme.one`, `acme.two` and so on, without ids.
    static func creates(_ slugs: String...) -> [Message] { slugs.map { .create(key: "acme.\($0)") } }
}
