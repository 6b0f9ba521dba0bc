import Synchronization
import WidgetContract
import WidgetTime
public import WidgetWorker

/// Clocks that stand still until they are moved.
public final class ManualClock: Sendable {
    private let elapsed = Mutex(0)
    private let steps = Mutex(0)
    private let start = Trial.moment(Vector.clock)

    public init() {}

    /// Moves both of the worker's clocks.
    public func advance(milliseconds: Int) {
        elapsed.withLock { $0 += milliseconds }
    }

    /// Somebody sets the wall clock; the other one goes on.
    public func stepWallClock(milliseconds: Int) {
        steps.withLock { $0 += milliseconds }
    }

    /// These clocks as a worker takes them.
    public var workerClock: WorkerClock {
        WorkerClock(
            now: {
                let step = self.steps.withLock { $0 }
                return Timestamp(milliseconds: self.start.milliseconds + Int64(self.milliseconds + step))
            },
            monotonicNanoseconds: { self.milliseconds * 1_000_000 })
    }

    private var milliseconds: Int { elapsed.withLock { $0 } }
}
