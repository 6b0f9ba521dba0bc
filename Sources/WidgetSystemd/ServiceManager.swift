internal import CSystemd
internal import Glibc
internal import Synchronization
public import WidgetWorker

/// Tells systemd how the worker fares (sd_notify(3)); without systemd it tells nobody.
///
/// The service has started as soon as the worker's loop turns, not when the worker is ready: a broker that is down is no
/// reason to start it again. What keeps it from being ready stands in the service's status. The watchdog is fed by the
/// loop's turns alone, so it tells a loop that hangs and nothing else.
public final class ServiceManager: WorkerObserver {
    /// Of the watchdog, microseconds; 0 without one.
    private let interval: UInt64
    private let hasStarted = Atomic(false)
    private let lastFed = Atomic<UInt64>(0)

    public init() {
        var interval: UInt64 = 0
        // sd_watchdog_enabled(3): positive when this process is to feed it.
        self.interval = unsafe sd_watchdog_enabled(0, &interval) > 0 ? interval : 0
    }

    public func changed(_ readiness: Readiness) {
        let status = readiness.isReady ? "ready" : "not ready: " + readiness.reasons.joined(separator: "; ")
        notify("STATUS=" + status.split(whereSeparator: \.isNewline).joined(separator: " "))
        if readiness.isStopping { notify("STOPPING=1") }
    }

    public func stored(_ outcomes: OutcomeBatch) {}

    public func turned(_ measures: WorkerMeasures) {
        if !hasStarted.exchange(true, ordering: .relaxed) { notify("READY=1") }
        guard interval > 0 else { return }
        let now = Self.microseconds()
        // systemd.service(5), WatchdogSec=: half the interval; a third leaves room for a busy turn.
        guard now - lastFed.load(ordering: .relaxed) >= interval / 3 else { return }
        lastFed.store(now, ordering: .relaxed)
        notify("WATCHDOG=1")
    }

    private func notify(_ line: String) {
        _ = unsafe sd_notify(0, line)
    }

    private static func microseconds() -> UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
    }
}
