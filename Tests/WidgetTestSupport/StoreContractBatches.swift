import Testing
import WidgetWorker

extension StoreContract {
    static let batchPromises = [
        StorePromise("the number of a commit is greater than those before, also of one without changes") { makeStore in
            let store = try makeStore(StoreOptions())
            var last: Int64 = 0
            for step in Int64(1)...20 {
                var changes = StoreChanges(now: 100 - step)
                if step % 3 == 0 { changes.outcomes = .sample("{}") }
                changes.settled = [last]
                changes.forgottenDeliveries = [last]
                let number = try store.commit(changes).number
                #expect(number > last)
                last = number
            }
        },
        StorePromise("outcomes come back in order until they are settled") { makeStore in
            let store = try makeStore(StoreOptions())
            var numbers: [Int64] = []
            for step in 0..<12 {
                var changes = StoreChanges(now: 0)
                changes.outcomes = .sample("first of \(step)", "", String(repeating: "x", count: 20_000))
                numbers.append(try store.commit(changes).number)
            }
            let unsettled = try store.unsettledOutcomes()
            #expect(unsettled.map(\.number) == numbers)
            for (step, batch) in unsettled.enumerated() {
                #expect(batch.outcomes == .sample("first of \(step)", "", String(repeating: "x", count: 20_000)))
            }

            var settling = StoreChanges(now: 0)
            settling.settled = [numbers[0], numbers[5], numbers[2]]
            _ = try store.commit(settling)
            let left = numbers.enumerated().filter { ![0, 2, 5].contains($0.offset) }.map(\.element)
            #expect(try store.unsettledOutcomes().map(\.number) == left)
        },
        StorePromise("settling twice, or what has no outcomes, changes nothing") { makeStore in
            let store = try makeStore(StoreOptions())
            let empty = try store.commit(StoreChanges(now: 0)).number
            #expect(try store.unsettledOutcomes().isEmpty)
            var changes = StoreChanges(now: 0)
            changes.outcomes = .sample("{}")
            let kept = try store.commit(changes).number
            for _ in 0..<2 {
                var settling = StoreChanges(now: 0)
                settling.settled = [empty, kept + 1000, -1]
                _ = try store.commit(settling)
                #expect(try store.unsettledOutcomes().map(\.number) == [kept])
            }
        },
        StorePromise("deliveries are remembered in order until they are forgotten") { makeStore in
            let store = try makeStore(StoreOptions())
            var numbers: [Int64] = []
            for step in UInt64(0)..<4 {
                var changes = StoreChanges(now: 0)
                changes.deliveries = (0..<3).map { .sample(step * 10 + $0) }
                numbers.append(try store.commit(changes).number)
            }
            #expect(
                try store.rememberedDeliveries()
                    == [0, 1, 2, 10, 11, 12, 20, 21, 22, 30, 31, 32].map(Fingerprint.sample))

            for forgotten in [numbers[1], numbers[0], 0] {
                var changes = StoreChanges(now: 0)
                changes.forgottenDeliveries = [forgotten]
                _ = try store.commit(changes)
                #expect(
                    try store.rememberedDeliveries() == [20, 21, 22, 30, 31, 32].map(Fingerprint.sample))
            }

            var last = StoreChanges(now: 0)
            last.forgottenDeliveries = [numbers[3]]
            last.deliveries = [.sample(40), .sample(40)]
            _ = try store.commit(last)
            #expect(try store.rememberedDeliveries() == [.sample(40), .sample(40)])
        },
        StorePromise("one commit does everything") { makeStore in
            let store = try makeStore(StoreOptions())
            var first = StoreChanges(now: 0)
            first.outcomes = .sample("first")
            first.deliveries = [.sample(1)]
            let number = try store.commit(first).number

            var second = StoreChanges(now: 1)
            second.widgets = [.sample("a"), .sample("b", document: nil)]
            second.inbox = [.sample("r-17")]
            second.outcomes = .sample("second")
            second.deliveries = [.sample(2)]
            second.settled = [number]
            second.forgottenDeliveries = [number]
            let next = try store.commit(second).number
            #expect(try store.widget("a") == .sample("a"))
            #expect(try store.widget("b") == .sample("b", document: nil))
            #expect(try store.liveWidgets(in: "acme") == 1)
            #expect(try store.entry("r-17") == .sample("r-17"))
            #expect(try store.unsettledOutcomes().map(\.number) == [next])
            #expect(try store.unsettledOutcomes().map(\.outcomes) == [.sample("second")])
            #expect(try store.rememberedDeliveries() == [.sample(2)])
            try store.close()
        },
    ]
}
