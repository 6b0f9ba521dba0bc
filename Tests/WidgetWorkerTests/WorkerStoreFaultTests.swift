import Testing
import WidgetTestSupport

@testable import WidgetWorker

@Suite(.row(23)) struct WorkerStoreFaultTests {
    @Test(
        "a transient store fault makes the worker wait, is no rejection, and the batch is stored once it works",
        arguments: [FailingStore.Operation.load, .recall, .commit])
    func transient(_ operation: FailingStore.Operation) throws {
        let bench = WorkerBench()
        bench.store.fail([operation], times: 2)
        bench.source.deliver([.create(id: "1"), .create(key: "acme.two")])
        try bench.until { bench.store.faults == 1 }
        try bench.until { bench.hasLogged("store: the store is out of order") }
        try bench.settle()
        #expect(bench.store.faults == 1, "the clock stands still")
        #expect(bench.store.commits.isEmpty && bench.publisher.batches.isEmpty && bench.source.acknowledged.isEmpty)
        try bench.until {
            bench.clock.advance(milliseconds: 50)
            try bench.settle()
            return bench.acknowledgedTags == [2]
        }
        #expect(bench.store.faults == 2)
        #expect(bench.readinessLines.last == "info ready")
        let summary = try bench.finish()
        #expect(summary.accepted == 2 && summary.rejected == 0 && summary.batches == 1)
        #expect(bench.store.widget("pages")?.revision == 1)
    }

    @Test("the pause between attempts grows")
    func pauses() throws {
        let bench = WorkerBench()
        bench.store.fail([.load], times: 2)
        bench.source.deliver(Message.creates("one"))
        try bench.until { bench.store.faults == 1 }
        try bench.settle()
        bench.clock.advance(milliseconds: 49)
        try bench.settle()
        #expect(bench.store.faults == 1)
        bench.clock.advance(milliseconds: 1)
        try bench.until { bench.store.faults == 2 }
        try bench.settle()
        bench.clock.advance(milliseconds: 99)
        try bench.settle()
        #expect(bench.store.commits.isEmpty)
        bench.clock.advance(milliseconds: 1)
        try bench.until { bench.acknowledgedTags == [1] }
        _ = try bench.finish()
    }

    @Test("earlier batches are acknowledged while the store is in trouble")
    func acknowledgesMeanwhile() throws {
        let bench = WorkerBench(confirmsAtOnce: false)
        bench.source.deliver(Message.creates("one"))
        try bench.until { bench.publisher.numbers == [1] }
        bench.store.fail([.commit], times: 1)
        bench.source.deliver(Message.creates("two"))
        try bench.until { bench.store.faults == 1 }
        bench.publisher.confirm(1)
        try bench.until { bench.acknowledgedTags == [1] }
        #expect(bench.store.commits.count == 1)
        try bench.until {
            bench.clock.advance(milliseconds: 50)
            return bench.publisher.numbers.count == 2
        }
        bench.publisher.confirm(bench.publisher.numbers[1])
        try bench.until { bench.acknowledgedTags == [1, 2] }
        #expect(try bench.finish().accepted == 2)
    }

    @Test("a batch that waits to be stored when its connection is lost is recognised when it comes back")
    func connectionLostMeanwhile() throws {
        let bench = WorkerBench()
        bench.store.fail([.commit], times: 1)
        bench.source.deliver(Message.creates("one"))
        try bench.until { bench.store.faults == 1 }
        bench.source.lose()
        bench.source.connect()
        bench.source.redeliver()
        try bench.settle()
        try bench.until {
            bench.clock.advance(milliseconds: 50)
            return bench.source.acknowledged == [DeliveryPosition(generation: 2, tag: 1)]
        }
        let summary = try bench.finish()
        #expect(summary.accepted == 1 && summary.duplicates == 1)
        #expect(bench.store.widget("one")?.revision == 1)
    }

    @Test(
        "a store fault that waiting does not mend ends the run with the error",
        arguments: [FailingStore.Operation.load, .recall, .commit])
    func lasting(_ operation: FailingStore.Operation) throws {
        let bench = WorkerBench()
        bench.store.fail([operation], times: 1, isTransient: false)
        bench.source.deliver([.create(id: "1")])
        let error = try #require(throws: StoreError.self) { try bench.ended() }
        #expect(!error.isTransient)
        #expect(bench.publisher.batches.isEmpty && bench.source.acknowledged.isEmpty)
        #expect(bench.source.unacknowledgedTags == [1])
    }

    @Test("a store that does not tell what an earlier run left ends the run before anything is consumed")
    func unreadable() throws {
        for operation in [FailingStore.Operation.unsettled, .remembered] {
            let store = FailingStore()
            store.fail([operation], times: 1, isTransient: false)
            let bench = WorkerBench(over: store)
            #expect(throws: StoreError.self) { try bench.ended() }
            #expect(bench.readinessLines.isEmpty)
        }
    }

    @Test("what is confirmed while the store is in trouble is settled once it works again")
    func settledMeanwhile() throws {
        let bench = WorkerBench(confirmsAtOnce: false)
        bench.source.deliver(Message.creates("one"))
        try bench.until { bench.publisher.numbers == [1] }
        bench.store.fail([.commit], times: 1)
        bench.source.deliver(Message.creates("two"))
        try bench.until { bench.store.faults == 1 }
        bench.publisher.confirm(1)
        try bench.settle()
        bench.clock.advance(milliseconds: 50)
        try bench.until { bench.publisher.numbers == [1, 2] }
        bench.publisher.confirm(2)
        _ = try bench.finish()
        #expect(bench.store.unsettled.isEmpty)
    }
}
