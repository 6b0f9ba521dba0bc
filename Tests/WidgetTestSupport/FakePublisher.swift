import Synchronization
public import WidgetWorker

/// A publisher that keeps what it is given and confirms it at once, or when a test tells it to.
public final class FakePublisher: OutcomePublisher {
    private struct State {
        var events: Mailbox<WorkerEvent>?
        var batches: [NumberedOutcomes] = []
    }

    private let calls: PortCalls
    private let confirmsAtOnce: Bool
    private let state = Mutex(State())

    public init(calls: PortCalls = PortCalls(), confirmsAtOnce: Bool = true) {
        self.calls = calls
        self.confirmsAtOnce = confirmsAtOnce
    }

    /// Everything published so far, in order, also what was published again.
    public var batches: [NumberedOutcomes] { state.withLock { $0.batches } }

    /// The numbers of `batches`.
    public var numbers: [Int64] { batches.map(\.number) }

    /// Confirms a batch.
    /// - Parameter unroutable: positions of outcomes in it that reached no queue.
    public func confirm(_ number: Int64, unroutable: [Int] = []) {
        calls.record(.confirmed(number))
        state.withLock { $0.events }?.post(.published(Confirmations(batch: number, unroutable: unroutable)))
    }

    public func start(reportingTo events: Mailbox<WorkerEvent>) {
        state.withLock { $0.events = events }
        events.post(.publisherReady)
    }

    public func publish(_ batch: NumberedOutcomes) {
        state.withLock { $0.batches.append(batch) }
        calls.record(.published(batch.number))
        if confirmsAtOnce { confirm(batch.number) }
    }

    public func close() {
        calls.record(.publisherClosed)
    }
}

extension OutcomeBatch {
    /// The outbound ids in order; empty for an outcome without one.
    public var ids: [String] {
        var ids: [String] = []
        visit { ids.append(String(decoding: $0[.messageID] ?? [], as: UTF8.self)) }
        return ids
    }
}
