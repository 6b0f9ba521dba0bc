import Testing
import WidgetTestSupport

@testable import WidgetWorker

@Suite struct WorkerOrderTests {
    @Test("a batch is stored, published, confirmed and only then acknowledged", .row(12))
    func order() throws {
        let bench = WorkerBench(confirmsAtOnce: false)
        bench.source.deliver(Message.creates("one", "two"))
        try bench.until { bench.publisher.numbers == [1] }
        try bench.settle()
        #expect(bench.source.acknowledged.isEmpty)
        bench.publisher.confirm(1)
        try bench.until { bench.acknowledgedTags == [2] }
        #expect(
            bench.calls == [
                .committed(1), .published(1), .confirmed(1), .acknowledged(DeliveryPosition(generation: 1, tag: 2)),
            ])
        #expect(bench.publisher.batches[0].outcomes.ids == ["acme/one@1", "acme/two@1"])
        let summary = try bench.finish()
        #expect(summary.accepted == 2 && summary.batches == 1 && summary.isClean)
    }

    @Test("acknowledgement is cumulative and in order, even when the second batch is confirmed first", .row(12))
    func confirmedOutOfOrder() throws {
        let bench = WorkerBench(prefetch: 2, confirmsAtOnce: false)
        bench.source.deliver(Message.creates("one", "two", "three", "four"))
        try bench.until { bench.publisher.numbers == [1, 2] }
        bench.publisher.confirm(2)
        try bench.settle()
        #expect(bench.source.acknowledged.isEmpty)
        bench.publisher.confirm(1)
        try bench.until { bench.acknowledgedTags == [2, 4] }
        #expect(bench.source.unacknowledgedTags.isEmpty)
        #expect(try bench.finish().isClean)
    }

    @Test("a batch without outcomes waits its turn", .row(12))
    func withoutOutcomes() throws {
        let bench = WorkerBench(prefetch: 1, confirmsAtOnce: false)
        bench.source.deliver([.create(id: "1"), .create(id: "1")])
        try bench.until { bench.store.commits.count == 2 }
        try bench.settle()
        #expect(bench.publisher.numbers == [1])
        #expect(bench.source.acknowledged.isEmpty)
        bench.publisher.confirm(1)
        try bench.until { bench.acknowledgedTags == [1, 2] }
        let summary = try bench.finish()
        #expect(summary.accepted == 1 && summary.duplicates == 1)
    }

    @Test("a batch without outcomes and with nothing before it is acknowledged when it is stored")
    func withoutOutcomesAlone() throws {
        let bench = WorkerBench(confirmsAtOnce: false)
        bench.source.deliver([.create(id: "1")])
        try bench.until { bench.publisher.numbers == [1] }
        bench.publisher.confirm(1)
        bench.source.deliver([.create(id: "1")])
        try bench.until { bench.acknowledgedTags == [1, 2] }
        #expect(try bench.finish().isClean)
    }

    @Test("four batches wait for confirms at most, and each that is acknowledged makes room for one")
    func mostInFlight() throws {
        let bench = WorkerBench(prefetch: 1, confirmsAtOnce: false)
        bench.source.deliver(Message.creates("one", "two", "three", "four", "five", "six"))
        try bench.until { bench.publisher.numbers == [1, 2, 3, 4] }
        try bench.settle()
        #expect(bench.store.commits.count == 4)
        bench.publisher.confirm(1)
        try bench.until { bench.publisher.numbers == [1, 2, 3, 4, 5] }
        for number in Int64(2)...5 { bench.publisher.confirm(number) }
        try bench.until { bench.publisher.numbers.last == 6 }
        bench.publisher.confirm(6)
        try bench.until { bench.acknowledgedTags == [1, 2, 3, 4, 5, 6] }
        #expect(try bench.finish().batches == 6)
    }

    @Test("a rejection is published and confirmed before its message is acknowledged")
    func rejection() throws {
        let bench = WorkerBench(confirmsAtOnce: false)
        bench.source.deliver([.sample("[", id: "1")])
        try bench.until { bench.publisher.numbers == [1] }
        try bench.settle()
        #expect(bench.source.acknowledged.isEmpty)
        bench.publisher.confirm(1)
        try bench.until { bench.acknowledgedTags == [1] }
        #expect(try bench.finish().rejected == 1)
    }

    @Test("what is settled rides along with the next batch")
    func settledRidesAlong() throws {
        let bench = WorkerBench()
        bench.source.deliver(Message.creates("one"))
        try bench.until { bench.acknowledgedTags == [1] }
        bench.source.deliver(Message.creates("two"))
        try bench.until { bench.acknowledgedTags == [1, 2] }
        #expect(bench.store.commits.first { !$0.settled.isEmpty }?.settled == [1])
        _ = try bench.finish()
    }

    @Test("an idle worker stores what is settled, when no batch comes along to carry it")
    func idle() throws {
        let bench = WorkerBench()
        bench.source.deliver(Message.creates("one"))
        try bench.until { bench.acknowledgedTags == [1] }
        try bench.until { bench.store.unsettled.isEmpty }
        #expect(!bench.hasEnded)
        _ = try bench.finish()
    }

    @Test("an idle worker lets its store do all that it put off, also one that is in trouble for a while")
    func leisure() throws {
        let bench = WorkerBench()
        bench.store.putOff(3)
        bench.store.fail([.leisure], times: 1)
        bench.source.deliver(Message.creates("one"))
        try bench.until {
            bench.clock.advance(milliseconds: 100)
            return !bench.store.hasPutOffWork
        }
        #expect(bench.store.faults == 1 && !bench.hasEnded)
        #expect(try bench.finish().isClean)
    }

    @Test("settled batches are gone from the store's outbox by the end of a drain")
    func settledByTheEnd() throws {
        let bench = WorkerBench(prefetch: 1)
        bench.source.deliver(Message.creates("one", "two", "three"))
        try bench.until { bench.acknowledgedTags == [1, 2, 3] }
        _ = try bench.finish()
        #expect(bench.store.unsettled.isEmpty)
        #expect(bench.calls.last == .storeClosed)
    }

    @Test("a batch is remembered until a delivery a prefetch behind it was acknowledged, too")
    func forgottenDeliveries() throws {
        let bench = WorkerBench(prefetch: 1)
        for (count, slug) in ["one", "two", "three"].enumerated() {
            bench.source.deliver(Message.creates(slug))
            try bench.until { bench.acknowledgedTags.count == count + 1 }
        }
        _ = try bench.finish()
        #expect(bench.store.commits.filter { !$0.outcomes.isEmpty }.map(\.forgottenDeliveries) == [[0], [0], [1]])
        #expect(try bench.store.rememberedDeliveries().isEmpty, "the connection was closed in order")
    }
}
