import Synchronization
import WidgetTelemetry
import WidgetTime
import WidgetWorker

/// What the worker last told of itself, for whoever asks from another thread.
final class WorkerView: WorkerObserver {
    struct State {
        var measures = WorkerMeasures()
        var reasons = ["the worker has not begun"]
        /// Of the loop's last turn, monotonic nanoseconds.
        var turnedAt: Int?
        var history = RecentHistory()
        var events = EventLog()
        var streams: [Weak<EventStream>] = []
        var streamsWokenAt = 0
    }

    /// A stream that sends nothing sends a comment after this time: so a client that is gone is noticed.
    private static let quietNanoseconds = 15_000_000_000

    private let state = Mutex(State())
    private let clock: WorkerClock

    init(clock: WorkerClock) {
        self.clock = clock
    }

    func read<Result: Sendable>(_ look: (inout sending State) -> sending Result) -> sending Result {
        state.withLock { look(&$0) }
    }

    // MARK: What the worker tells

    func changed(_ readiness: Readiness) {
        state.withLock { $0.reasons = readiness.reasons }
    }

    func turned(_ measures: WorkerMeasures) {
        let now = clock.monotonicNanoseconds()
        let isQuiet = state.withLock { state in
            state.measures = measures
            state.turnedAt = now
            state.history.add(measures, now: now / 1_000_000, wallNow: { clock.now().milliseconds })
            defer { if now - state.streamsWokenAt >= Self.quietNanoseconds { state.streamsWokenAt = now } }
            return now - state.streamsWokenAt >= Self.quietNanoseconds
        }
        if isQuiet { wakeStreams() }
    }

    func stored(_ outcomes: OutcomeBatch) {
        guard !outcomes.isEmpty else { return }
        let streams = state.withLock { state in
            state.events.add(outcomes)
            return state.streams
        }
        // To wake one costs the worker a system call; that one wakes the others, on the server's thread.
        _ = streams.contains { $0.object?.wake() ?? false }
    }

    // MARK: Streams

    func add(_ stream: EventStream) {
        state.withLock { state in
            state.streams.removeAll { $0.object == nil }
            state.streams.append(Weak(object: stream))
        }
    }

    /// Outside the lock: a stream that wakes asks for news.
    func wakeStreams() {
        for stream in state.withLock({ $0.streams.compactMap(\.object) }) { stream.wake() }
    }

    func endStreams() {
        for stream in state.withLock({ $0.streams.compactMap(\.object) }) { stream.end() }
    }
}

/// Does not keep what it names.
struct Weak<Object: AnyObject & Sendable>: Sendable {
    weak let object: Object?
}
