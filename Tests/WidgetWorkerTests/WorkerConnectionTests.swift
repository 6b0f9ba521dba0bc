import Testing
import WidgetTestSupport

@testable import WidgetWorker

@Suite struct WorkerConnectionTests {
    @Test("a delivery of an old connection is not acknowledged on the new one, and not decided twice", .row(11))
    func oldDelivery() throws {
        let bench = WorkerBench(confirmsAtOnce: false)
        bench.source.deliver(Message.creates("one"))
        try bench.until { bench.publisher.numbers == [1] }
        bench.source.lose()
        bench.source.connect()
        bench.publisher.confirm(1)
        try bench.until { bench.source.dropped == [DeliveryPosition(generation: 1, tag: 1)] }
        #expect(bench.source.acknowledged.isEmpty)
        bench.source.redeliver()
        try bench.until { bench.source.acknowledged == [DeliveryPosition(generation: 2, tag: 1)] }
        let summary = try bench.finish()
        #expect(summary.accepted == 1 && summary.duplicates == 1)
        #expect(bench.publisher.numbers == [1])
        #expect(bench.store.widget("one")?.revision == 1)
    }

    @Test("what comes back before its outcome is confirmed is not acknowledged before either", .row(11))
    func returnsEarly() throws {
        let bench = WorkerBench(confirmsAtOnce: false)
        bench.source.deliver(Message.creates("one"))
        try bench.until { bench.publisher.numbers == [1] }
        bench.source.lose()
        bench.source.connect()
        bench.source.redeliver()
        try bench.until { bench.store.commits.count == 2 }
        try bench.settle()
        #expect(bench.source.acknowledged.isEmpty)
        bench.publisher.confirm(1)
        try bench.until { bench.source.acknowledged == [DeliveryPosition(generation: 2, tag: 1)] }
        #expect(bench.source.dropped == [DeliveryPosition(generation: 1, tag: 1)])
        #expect(try bench.finish().duplicates == 1)
    }

    @Test("after an orderly close an equal message without an id is a message of its own")
    func closedInOrder() throws {
        let bench = WorkerBench()
        bench.source.deliver(Message.creates("one"))
        try bench.until { bench.source.acknowledged.count == 1 }
        bench.source.closeInOrder()
        bench.source.connect()
        bench.source.deliver(Message.creates("one"), redelivered: true)
        try bench.until { bench.source.acknowledged.count == 2 }
        let summary = try bench.finish()
        #expect(summary.accepted == 2 && summary.duplicates == 0)
        #expect(bench.store.widget("one")?.revision == 2)
    }

    @Test("the backlog of a lost connection is left to its redelivery", .row(11))
    func backlog() throws {
        let bench = WorkerBench(confirmsAtOnce: false)
        for (count, slug) in ["one", "two", "three", "four"].enumerated() {
            bench.source.deliver(Message.creates(slug))
            try bench.until { bench.publisher.numbers.count == count + 1 }
        }
        bench.source.deliver(Message.creates("five", "six"))
        bench.source.lose()
        bench.source.connect()
        for number in Int64(1)...4 { bench.publisher.confirm(number) }
        try bench.until { bench.source.dropped.count == 4 }
        try bench.settle()
        #expect(bench.publisher.numbers == [1, 2, 3, 4])
        bench.source.redeliver()
        try bench.until { bench.publisher.numbers.count == 5 }
        for number in bench.publisher.numbers where number > 4 { bench.publisher.confirm(number) }
        try bench.until { bench.source.unacknowledgedTags.isEmpty }
        let summary = try bench.finish()
        #expect(summary.accepted == 6 && summary.duplicates == 4)
        #expect(["one", "two", "three", "four", "five", "six"].allSatisfy { bench.store.widget($0)?.revision == 1 })
    }

    @Test("the same message that is not a redelivery is decided again")
    func sameMessage() throws {
        let bench = WorkerBench()
        bench.source.deliver(Message.creates("one"))
        try bench.until { bench.acknowledgedTags == [1] }
        bench.source.deliver(Message.creates("one"))
        try bench.until { bench.acknowledgedTags == [1, 2] }
        #expect(try bench.finish().accepted == 2)
    }

    @Test("unsettled outcomes of an earlier run are published first, and settled when they are confirmed", .row(15))
    func earlierRun() throws {
        let first = WorkerBench(confirmsAtOnce: false)
        first.source.deliver(Message.creates("one"))
        try first.until { first.publisher.numbers == [1] }
        first.drain()
        try first.until { first.calls.contains(.cancelled) }
        first.clock.advance(milliseconds: 25_000)
        #expect(try !first.ended().isClean)

        let second = WorkerBench(over: first.store, confirmsAtOnce: false)
        try second.until { second.publisher.numbers == [1] }
        second.source.deliver(Message.creates("one"), redelivered: true)
        second.source.deliver(Message.creates("two"))
        try second.until { second.publisher.numbers.count == 2 }
        #expect(second.publisher.batches.map(\.outcomes.ids) == [["acme/one@1"], ["acme/two@1"]])
        for number in second.publisher.numbers { second.publisher.confirm(number) }
        try second.until { second.source.unacknowledgedTags.isEmpty }
        let summary = try second.finish()
        #expect(summary.accepted == 1 && summary.duplicates == 1)
        #expect(second.store.unsettled.isEmpty)
    }
}
