import Testing
import WidgetTestSupport

@testable import WidgetWorker

@Suite(.row(16)) struct WorkerUnroutableTests {
    /// A worker whose first batch is confirmed with the second of its two outcomes in no queue.
    private func bench(_ policy: UnroutablePolicy) throws -> WorkerBench {
        let bench = WorkerBench(unroutable: policy, confirmsAtOnce: false)
        bench.source.deliver(Message.creates("one", "two"))
        try bench.until { bench.publisher.numbers == [1] }
        bench.publisher.confirm(1, unroutable: [1])
        try bench.until { bench.acknowledgedTags == [2] }
        return bench
    }

    @Test("an unroutable outcome is kept, and it alone is published again until it is routed")
    func kept() throws {
        let bench = try bench(.keep)
        try bench.settle()
        #expect(bench.store.unsettled == [1])
        #expect(bench.readinessLines.last?.contains("1 outcomes reach no queue") == true)
        bench.clock.advance(milliseconds: 1_999)
        try bench.settle()
        #expect(bench.publisher.numbers == [1])
        bench.clock.advance(milliseconds: 1)
        try bench.settle()
        #expect(bench.publisher.numbers == [1, 1])
        #expect(bench.publisher.batches[1].outcomes.ids == ["acme/two@1"])

        bench.publisher.confirm(1, unroutable: [0])
        try bench.settle()
        bench.clock.advance(milliseconds: 2_000)
        try bench.settle()
        #expect(bench.publisher.batches.map(\.outcomes.count) == [2, 1, 1])
        #expect(bench.store.unsettled == [1])

        bench.publisher.confirm(1)
        try bench.settle()
        #expect(bench.readinessLines.last == "info ready")
        #expect(try bench.finish().isClean)
        #expect(bench.store.unsettled.isEmpty)
    }

    @Test("an outcome that reaches no queue by the end of a drain is published by the next run")
    func keptForTheNextRun() throws {
        let bench = try bench(.keep)
        #expect(try bench.finish().isClean)
        #expect(bench.store.unsettled == [1])
        let next = WorkerBench(over: bench.store)
        try next.until { next.publisher.numbers == [1] }
        _ = try next.finish()
        #expect(next.store.unsettled.isEmpty)
    }

    @Test("an unroutable outcome counts as done", arguments: [UnroutablePolicy.warn, .ignore])
    func done(_ policy: UnroutablePolicy) throws {
        let bench = try bench(policy)
        bench.clock.advance(milliseconds: 10_000)
        try bench.settle()
        #expect(bench.publisher.numbers == [1])
        #expect(bench.readinessLines.last == "info ready")
        #expect(bench.hasLogged("outcomes reach no queue") == (policy == .warn))
        #expect(try bench.finish().isClean)
        #expect(bench.store.unsettled.isEmpty)
    }
}
