import WidgetContract
import WidgetTelemetry
import WidgetTime

/// A worker's dealings with its store, which may be in trouble, or another worker's, too.
extension Worker {
    /// A store that failed is tried again after this pause, doubled up to the longest.
    private static let storePauseMilliseconds = 50...5_000

    enum CommitResult {
        case stored(Commit)
        /// Undone, and to be decided again.
        case lost(LostComparison)
        /// The drain's deadline is over before the store has it.
        case late
    }

    /// Stores what was decided, and with it what is settled and forgotten by now.
    func commit(_ changes: inout StoreChanges) throws -> CommitResult {
        changes.settled = outbox.settled
        changes.forgottenDeliveries = forgotten.upTo
        let begin = clock.monotonicNanoseconds()
        lastStored = clock.monotonicMilliseconds()
        do {
            guard let commit = try withRetries({ try store.commit(changes) }) else { return .late }
            summary.measures.storing.observe(seconds(since: begin))
            outbox.settledAreStored(changes.settled.count)
            storedForgotten = changes.forgottenDeliveries
            sharing.won()
            return .stored(commit)
        } catch let comparison as LostComparison {
            decider.takeBack(changes)
            if let pause = sharing.lost() { wait(milliseconds: pause) }
            return .lost(comparison)
        }
    }

    /// Waits for a store that is in trouble: nothing is rejected for it, and consumption pauses.
    /// - Returns: `nil` when the drain's deadline is over first.
    func withRetries<Result>(_ work: () throws -> Result) throws -> Result? {
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
            guard wait(milliseconds: pause) else {
                summary.isClean = false
                return nil
            }
            pause = min(pause * 2, Self.storePauseMilliseconds.upperBound)
        }
    }

    /// - Returns: false when the drain's deadline is over first.
    @discardableResult
    func wait(milliseconds: Int) -> Bool {
        let until = clock.monotonicMilliseconds() + milliseconds
        while clock.monotonicMilliseconds() < until {
            let rest = until - clock.monotonicMilliseconds()
            for event in events.take(waitingMilliseconds: min(rest, Self.longestWait)) { receive(event) }
            tellObservers()
            acknowledgePublished()
            if drain.isUnderWay && clock.monotonicMilliseconds() >= drain.deadline { return false }
        }
        return true
    }

    /// Tells the store what is settled, when no batch comes along to carry it.
    func storeSettled() throws {
        guard !outbox.settled.isEmpty || forgotten.upTo != storedForgotten else { return }
        var changes = StoreChanges(now: clock.now().milliseconds)
        if case .late = try commit(&changes) { summary.isClean = false }
    }

    /// When the store may do what it put off.
    var storeLeisureDue: Int? {
        store.hasPutOffWork && !drain.isUnderWay ? lastStored + Self.idleMilliseconds : nil
    }

    /// Lets the store do a part of what it put off. One that is in trouble is asked again later: nobody waits for it.
    func giveStoreLeisure() throws {
        let now = clock.monotonicMilliseconds()
        guard let due = storeLeisureDue, due <= now else { return }
        lastStored = now
        do { try store.workAtLeisure() } catch let error as StoreError where error.isTransient {}
    }
}
