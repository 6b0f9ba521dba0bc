import Testing
import WidgetTestSupport

@testable import WidgetWorker

@Suite(.row(15)) struct WorkerRedeliveryTests {
    @Test("what is confirmed while there is no connection is not acknowledged, and recognised when it comes back")
    func confirmedWithoutConnection() throws {
        let bench = WorkerBench(confirmsAtOnce: false)
        for (count, slug) in ["one", "two", "three", "four"].enumerated() {
            bench.source.deliver(Message.creates(slug))
            try bench.until { bench.publisher.numbers.count == count + 1 }
        }
        bench.source.lose()
        for number in Int64(1)...4 { bench.publisher.confirm(number) }
        try bench.until { bench.source.dropped.count == 4 }
        bench.source.connect()
        bench.source.redeliver()
        try bench.until { bench.source.unacknowledgedTags.isEmpty }
        let summary = try bench.finish()
        #expect(summary.accepted == 4 && summary.duplicates == 4)
        #expect(["one", "two", "three", "four"].allSatisfy { bench.store.widget($0)?.revision == 1 })
    }

    @Test(
        "a batch that is not decided yet when its connection is lost is left to its redelivery",
        arguments: [false, true])
    func undecided(isRedeliveredBeforeTheStoreWorks: Bool) throws {
        let bench = WorkerBench()
        bench.store.fail([.load], times: 1)
        bench.source.deliver(Message.creates("one"))
        try bench.until { bench.store.faults == 1 }
        bench.source.lose()
        bench.source.connect()
        if isRedeliveredBeforeTheStoreWorks { bench.source.redeliver() }
        try bench.settle()
        bench.clock.advance(milliseconds: 50)
        try bench.settle()
        if !isRedeliveredBeforeTheStoreWorks { bench.source.redeliver() }
        try bench.until { bench.source.acknowledged == [DeliveryPosition(generation: 2, tag: 1)] }
        #expect(try bench.finish().accepted == 1)
        #expect(bench.store.widget("one")?.revision == 1)
    }

    @Test(
        "a batch that the store does not take before the drain's deadline makes the end unclean, and counts for nothing",
        arguments: [FailingStore.Operation.load, .commit])
    func deadline(_ operation: FailingStore.Operation) throws {
        let bench = WorkerBench()
        bench.store.fail([operation], times: .max)
        bench.source.deliver(Message.creates("one"))
        try bench.until { bench.store.faults == 1 }
        bench.drain()
        try bench.until { bench.calls.contains(.cancelled) }
        bench.clock.advance(milliseconds: 25_000)
        let summary = try bench.ended()
        #expect(!summary.isClean && summary.accepted == 0)
    }

    @Test("only outcomes that reach no queue are counted as such, not what an earlier run left")
    func unroutableCount() throws {
        let first = WorkerBench(confirmsAtOnce: false)
        first.source.deliver(Message.creates("one", "two", "three"))
        try first.until { first.publisher.numbers == [1] }
        first.drain()
        try first.until { first.calls.contains(.cancelled) }
        first.clock.advance(milliseconds: 25_000)
        _ = try first.ended()

        let second = WorkerBench(over: first.store, confirmsAtOnce: false)
        second.source.deliver(Message.creates("four"))
        try second.until { second.publisher.numbers == [1, 2] }
        second.publisher.confirm(2, unroutable: [0])
        try second.settle()
        #expect(second.readinessLines.last?.contains("1 outcomes reach no queue") == true)
        second.clock.advance(milliseconds: 2_000)
        try second.until { second.publisher.numbers == [1, 2, 2] }
        second.publisher.confirm(2)
        try second.settle()
        #expect(second.readinessLines.last == "info ready")
        second.publisher.confirm(1)
        _ = try second.finish()
    }
}
