import Testing
import WidgetTestSupport

@testable import WidgetWorker

@Suite(.row(24)) struct WorkerDrainTests {
    @Test("a drain waits for the confirms in flight, acknowledges, closes the source and then the publisher")
    func order() throws {
        let bench = WorkerBench(confirmsAtOnce: false)
        bench.source.deliver(Message.creates("one"))
        try bench.until { bench.publisher.numbers == [1] }
        bench.drain()
        try bench.until { bench.calls.contains(.cancelled) }
        try bench.settle()
        #expect(!bench.hasEnded && bench.brokerCalls == [.published(1), .cancelled])
        bench.publisher.confirm(1)
        #expect(try bench.ended().isClean)
        #expect(
            bench.brokerCalls == [
                .published(1), .cancelled, .confirmed(1), .acknowledged(DeliveryPosition(generation: 1, tag: 1)),
                .sourceClosed, .publisherClosed,
            ])
        #expect(bench.calls.last == .storeClosed)
        #expect(bench.store.unsettled.isEmpty)
    }

    @Test("a worker with nothing in hand ends as soon as its source has stopped")
    func nothingInHand() throws {
        let bench = WorkerBench(cancelsAtOnce: false)
        bench.drain()
        try bench.until { bench.calls.contains(.cancelled) }
        try bench.settle()
        #expect(!bench.hasEnded)
        bench.source.confirmCancel()
        #expect(try bench.ended().isClean)
        #expect(bench.brokerCalls == [.cancelled, .sourceClosed, .publisherClosed])
    }

    @Test("a draining worker takes nothing new")
    func nothingNew() throws {
        let bench = WorkerBench(cancelsAtOnce: false)
        bench.drain()
        try bench.until { bench.calls.contains(.cancelled) }
        bench.source.deliver(Message.creates("one"))
        try bench.settle()
        bench.source.confirmCancel()
        #expect(try bench.ended().isClean)
        #expect(bench.store.commits.isEmpty && bench.publisher.batches.isEmpty)
        #expect(bench.source.unacknowledgedTags == [1])
    }

    @Test("deliveries in the backlog are handed back undecided")
    func backlog() throws {
        let bench = WorkerBench(prefetch: 1, confirmsAtOnce: false)
        bench.source.deliver(Message.creates("one", "two", "three", "four", "five", "six"))
        try bench.until { bench.publisher.numbers == [1, 2, 3, 4] }
        bench.drain()
        try bench.until { bench.calls.contains(.cancelled) }
        for number in Int64(1)...4 { bench.publisher.confirm(number) }
        let summary = try bench.ended()
        #expect(summary.isClean && summary.accepted == 4)
        #expect(bench.source.unacknowledgedTags == [5, 6])
        #expect(bench.store.widget("five") == nil && bench.store.widget("six") == nil)
    }

    @Test("a source that is lost has stopped, too")
    func lost() throws {
        let bench = WorkerBench(cancelsAtOnce: false)
        bench.drain()
        try bench.until { bench.calls.contains(.cancelled) }
        bench.source.lose()
        #expect(try bench.ended().isClean)
    }

    @Test("the deadline ends the run with what is in flight, and says that it is not clean")
    func deadline() throws {
        let bench = WorkerBench(confirmsAtOnce: false)
        bench.source.deliver(Message.creates("one"))
        try bench.until { bench.publisher.numbers == [1] }
        bench.drain()
        try bench.until { bench.calls.contains(.cancelled) }
        bench.clock.advance(milliseconds: 24_999)
        try bench.settle()
        #expect(!bench.hasEnded)
        bench.clock.advance(milliseconds: 1)
        #expect(try !bench.ended().isClean)
        #expect(bench.source.acknowledged.isEmpty && bench.store.unsettled == [1])
        #expect(bench.brokerCalls.suffix(2) == [.sourceClosed, .publisherClosed])
    }

    @Test("a second request to stop does not move the deadline")
    func twice() throws {
        let bench = WorkerBench(confirmsAtOnce: false)
        bench.source.deliver(Message.creates("one"))
        try bench.until { bench.publisher.numbers == [1] }
        bench.drain()
        try bench.until { bench.calls.contains(.cancelled) }
        bench.clock.advance(milliseconds: 20_000)
        bench.drain()
        try bench.settle()
        bench.clock.advance(milliseconds: 5_000)
        #expect(try !bench.ended().isClean)
        #expect(bench.calls.count { $0 == .cancelled } == 1)
    }

    @Test("a store in trouble does not hold up the end beyond the deadline")
    func storeInTrouble() throws {
        let bench = WorkerBench()
        bench.store.fail([.load], times: .max)
        bench.source.deliver(Message.creates("one"))
        try bench.until { bench.store.faults == 1 }
        bench.drain()
        try bench.until { bench.calls.contains(.cancelled) }
        bench.clock.advance(milliseconds: 25_000)
        _ = try bench.ended()
        #expect(bench.publisher.batches.isEmpty && bench.source.unacknowledgedTags == [1])
    }

    @Test("a batch in hand whose store recovers before the deadline is finished")
    func storeRecovers() throws {
        let bench = WorkerBench()
        bench.store.fail([.commit], times: 1)
        bench.source.deliver(Message.creates("one"))
        try bench.until { bench.store.faults == 1 }
        bench.drain()
        try bench.until {
            bench.clock.advance(milliseconds: 50)
            return bench.hasEnded
        }
        let summary = try bench.ended()
        #expect(summary.isClean && summary.accepted == 1)
        #expect(bench.acknowledgedTags == [1])
    }
}
