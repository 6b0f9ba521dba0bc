import WidgetTelemetry

/// Whether the worker works, told to the log and to observers when it changes.
struct WorkerStatus {
    private(set) var readiness = Readiness()
    private let observers: [any WorkerObserver]
    private let log: Log

    init(observers: [any WorkerObserver], log: Log) {
        self.observers = observers
        self.log = log
    }

    var isObserved: Bool { !observers.isEmpty }

    func begin() {
        for observer in observers { observer.changed(readiness) }
    }

    /// Changes the readiness and says so when it became another.
    mutating func note(_ change: (inout Readiness) -> Void) {
        let before = readiness
        change(&readiness)
        guard readiness.reasons != before.reasons else { return }
        begin()
        if readiness.isReady {
            log.info("ready")
        } else {
            log.warning("not ready", ["reasons": readiness.reasons.joined(separator: "; ")])
        }
    }

    func turned(_ measures: WorkerMeasures) {
        for observer in observers { observer.turned(measures) }
    }

    func stored(_ outcomes: OutcomeBatch) {
        for observer in observers { observer.stored(outcomes) }
    }
}
