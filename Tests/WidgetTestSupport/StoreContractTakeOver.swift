import Testing
import WidgetWorker

extension WidgetStore {
    /// Commits an outcome, and deliveries of queues.
    @discardableResult
    fileprivate func put(_ outcome: String, _ deliveries: DecidedDelivery...) throws -> Commit {
        var changes = StoreChanges(now: 0)
        changes.outcomes = .sample(outcome)
        changes.deliveries = deliveries
        return try commit(changes)
    }
}

extension StoreContract {
    static let takeOverPromises = [
        SharedStorePromise("who takes a queue over gets what is left of it, oldest first") { makeWorker in
            let (first, second, third) = (try makeWorker(), try makeWorker(), try makeWorker())
            #expect(try first.takeOver(queue: 0).outcomes.isEmpty)
            _ = try first.takeOver(queue: 1)
            let settled = try first.put("settled", .sample(1)).number
            let kept = try first.put("kept", .sample(2), DecidedDelivery(.sample(3), queue: 1)).number
            try first.put("of the other queue", DecidedDelivery(.sample(4), queue: 1))
            var settling = StoreChanges(now: 0)
            settling.settled = [settled]
            settling.forgottenDeliveries = [settled, 0]
            _ = try first.commit(settling)

            var left = try second.takeOver(queue: 0)
            #expect(left.outcomes.map(\.number) == [kept])
            #expect(left.outcomes.map(\.outcomes) == [.sample("kept")])
            #expect(left.deliveries == [.sample(2)])
            let next = try second.put("next", .sample(5)).number
            left = try third.takeOver(queue: 0)
            #expect(left.outcomes.map(\.number) == [kept, next])
            #expect(left.deliveries == [.sample(2), .sample(5)])
            #expect(try third.takeOver(queue: 1).deliveries == [.sample(3), .sample(4)])
        },
        SharedStorePromise("who has lost a queue commits no delivery of it, and others") { makeWorker in
            let (first, second) = (try makeWorker(), try makeWorker())
            for queue in 0...1 { _ = try first.takeOver(queue: queue) }
            _ = try second.takeOver(queue: 1)
            let lost = #expect(throws: LostComparison.self) {
                try first.put("late", .sample(1), DecidedDelivery(.sample(2), queue: 1))
            }
            #expect(lost?.queues == [1])
            #expect(try first.unsettledOutcomes().isEmpty)
            try first.put("still mine", .sample(1))
            try second.put("mine by now", DecidedDelivery(.sample(2), queue: 1))
            // Taken back, it is the first one's again.
            #expect(try first.takeOver(queue: 1).deliveries == [.sample(2)])
            try first.put("mine again", DecidedDelivery(.sample(3), queue: 1))
            #expect(throws: LostComparison.self) { try second.put("late", DecidedDelivery(.sample(4), queue: 1)) }
        },
        SharedStorePromise("what a worker that is gone left is taken by one alone") { makeWorker in
            let (first, second, third) = (try makeWorker(), try makeWorker(), try makeWorker())
            let number = try first.put("left").number
            #expect(try second.takeOverAbandoned(at: 0).outcomes.isEmpty)
            try first.close()
            let taken = try second.takeOverAbandoned(at: 0)
            #expect(taken.outcomes.map(\.number) == [number])
            #expect(taken.outcomes.map(\.outcomes) == [.sample("left")])
            #expect(try third.takeOverAbandoned(at: 0).outcomes.isEmpty)
            // From one to the next, when that one goes, too.
            try second.close()
            #expect(try third.takeOverAbandoned(at: 0).outcomes.map(\.number) == [number])
            var settling = StoreChanges(now: 0)
            settling.settled = [number]
            _ = try third.commit(settling)
            #expect(try third.unsettledOutcomes().isEmpty)
        },
        SharedStorePromise("a fan-out that nobody makes is made by one other worker, and in time by another") {
            makeWorker in
            let (first, second) = (try makeWorker(), try makeWorker())
            var changes = StoreChanges(now: 0)
            changes.pending = [.sample("pages")]
            _ = try first.commit(changes)
            let due = PendingPush.sample("pages").dueAt
            #expect(try first.takeOverAbandoned(at: due).pushes.isEmpty)
            let late = due + 3_000
            #expect(try first.takeOverAbandoned(at: late).pushes == [.sample("pages")])
            #expect(try second.takeOverAbandoned(at: late).pushes.isEmpty)
            #expect(try second.takeOverAbandoned(at: late + 60_000).pushes == [.sample("pages")])
            var made = StoreChanges(now: 0)
            made.noLongerPending = [PendingPush.sample("pages").address]
            _ = try second.commit(made)
            #expect(try first.takeOverAbandoned(at: late + 600_000).pushes.isEmpty)
        },
    ]
}
