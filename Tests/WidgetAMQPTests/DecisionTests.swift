import Testing
import WidgetWorker

@testable import WidgetAMQP

struct `Backing off` {
    private func backoff(_ bounds: Backoff.Bounds = Backoff.Bounds()) -> Backoff {
        Backoff(bounds, random: { $0.upperBound })
    }

    @Test func `doubles up to the longest wait`() {
        var backoff = backoff()
        #expect(
            (0..<9).map { _ in backoff.next(slowly: false) } == [100, 200, 400, 800, 1600, 3200, 6400, 10000, 10000])
        backoff.reset()
        #expect(backoff.next(slowly: false) == 100)
    }

    @Test func `has full jitter`() {
        var lowest = Backoff(random: { $0.lowerBound })
        #expect((0..<5).map { _ in lowest.next(slowly: false) } == [0, 0, 0, 0, 0])
    }

    @Test func `never starts below five seconds where somebody has to change something`() {
        var lowest = Backoff(random: { $0.lowerBound })
        var highest = backoff()
        #expect((0..<3).map { _ in lowest.next(slowly: true) } == [5000, 5000, 5000])
        #expect((0..<4).map { _ in highest.next(slowly: true) } == [5000, 10000, 20000, 30000])
    }

    @Test func `survives any number of attempts`() {
        var backoff = backoff()
        for _ in 0..<1000 { _ = backoff.next(slowly: false) }
        #expect(backoff.next(slowly: false) == 10000)
    }
}

struct `Reconnecting` {
    private func reconnection(_ addresses: Int) -> Reconnection {
        Reconnection(addresses: addresses, backoff: Backoff(random: { $0.upperBound }))
    }

    @Test func `tries every address before it waits`() {
        var reconnection = reconnection(3)
        #expect(reconnection.begin() == .connect(0))
        #expect(reconnection.failed(needsSomebody: false, now: 0) == .connect(1))
        #expect(reconnection.failed(needsSomebody: false, now: 0) == .connect(2))
        #expect(reconnection.failed(needsSomebody: false, now: 0) == .wait(milliseconds: 100))
        #expect(reconnection.begin() == .connect(0))
    }

    @Test func `is slow when one of the round needs somebody`() {
        var reconnection = reconnection(2)
        #expect(reconnection.failed(needsSomebody: true, now: 0) == .connect(1))
        #expect(reconnection.failed(needsSomebody: false, now: 0) == .wait(milliseconds: 5000))
    }

    @Test func `starts quickly again after a connection that lasted`() {
        var reconnection = reconnection(1)
        for _ in 0..<5 { _ = reconnection.failed(needsSomebody: false, now: 0) }
        reconnection.ready(now: 1000)
        #expect(reconnection.failed(needsSomebody: false, now: 1000 + Reconnection.lasting) == .wait(milliseconds: 100))
    }

    @Test func `goes on backing off after a connection that did not last`() {
        var reconnection = reconnection(1)
        #expect(reconnection.failed(needsSomebody: false, now: 0) == .wait(milliseconds: 100))
        reconnection.ready(now: 1000)
        #expect(reconnection.failed(needsSomebody: false, now: 1001) == .wait(milliseconds: 200))
        reconnection.ready(now: 2000)
        #expect(reconnection.failed(needsSomebody: false, now: 2001) == .wait(milliseconds: 400))
    }
}

struct `Gathering deliveries` {
    private func pause(after count: Int, inHand: UInt64, of most: UInt64 = 1000, workerIsBusy: Bool) -> Gathering.Pause?
    {
        Gathering(most: most).pause(after: count, inHand: inHand, workerIsBusy: workerIsBusy)
    }

    @Test func `is for when some have come and the worker is busy`() {
        #expect(pause(after: 3, inHand: 3, workerIsBusy: true) == Gathering.besideWork)
        #expect(pause(after: 0, inHand: 3, workerIsBusy: true) == nil)
        #expect(pause(after: 3, inHand: 3, workerIsBusy: false) == nil)
    }

    @Test func `is longer in a backlog, until a quarter may be acknowledged`() {
        for workerIsBusy in [true, false] {
            #expect(
                pause(after: 9, inHand: 500, workerIsBusy: workerIsBusy)
                    == .init(milliseconds: Gathering.inBacklog, acknowledgements: 250))
        }
        #expect(pause(after: 9, inHand: 499, workerIsBusy: false) == nil)
        #expect(pause(after: 0, inHand: 1000, workerIsBusy: true) == nil)
    }

    @Test func `leaves a lone message alone`() {
        #expect(pause(after: 1, inHand: 1, of: 1, workerIsBusy: false) == nil)
        #expect(pause(after: 1, inHand: 1, of: 2, workerIsBusy: true)?.acknowledgements == 1)
    }
}

struct `Acknowledging` {
    private func position(_ tag: UInt64, generation: UInt64 = 2) -> DeliveryPosition {
        DeliveryPosition(generation: generation, tag: tag)
    }

    @Test func `waits a moment for more, and not for long`() {
        var acknowledgements = Acknowledgements(generation: 2)
        #expect(acknowledgements.sleep(now: 0, isBusy: false) == .init(wakeAtTag: 0, milliseconds: nil))
        acknowledgements.wish(position(3))
        #expect(acknowledgements.due(now: 10) == nil)
        #expect(acknowledgements.sleep(now: 10, isBusy: false) == .init(wakeAtTag: 0, milliseconds: 2))
        acknowledgements.wish(position(5))
        #expect(acknowledgements.due(now: 11) == nil)
        #expect(acknowledgements.due(now: 12) == 5)
        #expect(acknowledgements.due(now: 30) == nil)
        #expect(acknowledgements.sleep(now: 30, isBusy: false) == .init(wakeAtTag: 0, milliseconds: nil))
    }

    @Test func `is done at once for many`() {
        var acknowledgements = Acknowledgements(generation: 2)
        acknowledgements.wish(position(Acknowledgements.stride))
        #expect(acknowledgements.due(now: 0) == Acknowledgements.stride)
        acknowledgements.wish(position(Acknowledgements.stride + 1))
        #expect(acknowledgements.due(now: 0) == nil)
        #expect(acknowledgements.rest() == Acknowledgements.stride + 1)
        #expect(acknowledgements.rest() == nil)
    }

    @Test func `is not woken for few while deliveries come, and for any when they have stopped`() {
        var acknowledgements = Acknowledgements(generation: 2)
        let stride = Acknowledgements.stride
        #expect(acknowledgements.sleep(now: 0, isBusy: true) == .init(wakeAtTag: stride, milliseconds: 2))
        acknowledgements.wish(position(stride))
        #expect(acknowledgements.due(now: 1) == stride)
        #expect(acknowledgements.sleep(now: 1, isBusy: false) == .init(wakeAtTag: 2 * stride, milliseconds: 2))
        #expect(acknowledgements.sleep(now: 2, isBusy: false) == .init(wakeAtTag: 0, milliseconds: nil))
    }

    @Test func `is woken for as many as a pause wants`() {
        var acknowledgements = Acknowledgements(generation: 2)
        #expect(acknowledgements.sleep(now: 0, isBusy: true, stride: 250).wakeAtTag == 250)
        acknowledgements.wish(position(100))
        #expect(acknowledgements.open(upTo: 300) == 300)
        #expect(acknowledgements.due(now: 1) == 100)
        #expect(acknowledgements.open(upTo: 300) == 200)
        #expect(acknowledgements.sleep(now: 1, isBusy: true, stride: 250).wakeAtTag == 350)
    }

    @Test func `drops what belongs to another connection`() {
        var acknowledgements = Acknowledgements(generation: 2)
        acknowledgements.wish(position(500, generation: 1))
        acknowledgements.wish(position(500, generation: 3))
        #expect(acknowledgements.due(now: 0) == nil)
        #expect(acknowledgements.rest() == nil)
    }

    @Test func `never goes back`() {
        var acknowledgements = Acknowledgements(generation: 2)
        acknowledgements.wish(position(100))
        #expect(acknowledgements.due(now: 0) == 100)
        acknowledgements.wish(position(90))
        #expect(acknowledgements.rest() == nil)
    }
}

struct `The deadline on confirms` {
    @Test func `starts when something is due and again with every confirm`() {
        var deadline = ConfirmDeadline(limit: 100)
        #expect(deadline.left(inFlight: 0, progress: false, isBlocked: false, now: 0) == nil)
        #expect(deadline.left(inFlight: 1, progress: false, isBlocked: false, now: 10) == 100)
        #expect(deadline.left(inFlight: 1, progress: false, isBlocked: false, now: 70) == 40)
        #expect(deadline.left(inFlight: 1, progress: true, isBlocked: false, now: 80) == 100)
        #expect(deadline.left(inFlight: 1, progress: false, isBlocked: false, now: 180) == 0)
    }

    @Test func `does not run while the broker says that it is blocked`() {
        var deadline = ConfirmDeadline(limit: 100)
        _ = deadline.left(inFlight: 1, progress: false, isBlocked: false, now: 0)
        #expect(deadline.left(inFlight: 1, progress: false, isBlocked: true, now: 1000) == nil)
        #expect(deadline.left(inFlight: 1, progress: false, isBlocked: false, now: 2000) == 100)
    }
}

struct `The topology` {
    @Test func `declares each queue in the kind asked for`() {
        var topology = Topology()
        topology.queueType = .classic
        #expect(
            topology.inbound == [
                .exchange("widgets.updates", type: "topic"),
                .queue("widgets.updates", .classic, singleActiveConsumer: true),
                .binding(queue: "widgets.updates", exchange: "widgets.updates", key: "#"),
            ])
        #expect(
            topology.outbound == [
                .exchange("widgets.accepted", type: "topic"),
                .queue("widgets.fanout", .classic, singleActiveConsumer: false),
                .binding(queue: "widgets.fanout", exchange: "widgets.accepted", key: "#"),
                .exchange("widgets.rejected", type: "topic"),
                .queue("widgets.rejections", .classic, singleActiveConsumer: false),
                .binding(queue: "widgets.rejections", exchange: "widgets.rejected", key: "#"),
            ])
    }

    @Test func `spreads updates over shards through a consistent hash`() {
        var topology = Topology()
        topology.shards = 2
        topology.consumedShards = [1]
        #expect(topology.consumedQueues == ["widgets.updates.1"])
        #expect(
            topology.inbound == [
                .exchange("widgets.updates", type: "topic"),
                .exchange("widgets.updates.shards", type: "x-consistent-hash"),
                .queue("widgets.updates.0", .quorum, singleActiveConsumer: true),
                .binding(queue: "widgets.updates.0", exchange: "widgets.updates.shards", key: "1"),
                .queue("widgets.updates.1", .quorum, singleActiveConsumer: true),
                .binding(queue: "widgets.updates.1", exchange: "widgets.updates.shards", key: "1"),
                .exchangeBinding(destination: "widgets.updates.shards", source: "widgets.updates", key: "#"),
            ])
    }

    @Test(arguments: [(8, 1_000, 125, 1_000), (3, 100, 33, 99), (8, 3, 1, 8), (0, 1_000, 1_000, 1_000)])
    func `divides the prefetch among the shards`(shards: Int, prefetch: Int, ofQueue: Int, ofAll: Int) {
        var topology = Topology()
        topology.shards = shards
        let source = AMQPDeliverySource(addresses: [], topology: topology, prefetch: prefetch)
        #expect(source.queueCount == max(1, shards))
        #expect(source.mostInHandOfQueue == ofQueue)
        #expect(source.mostInHand == ofAll)
    }
}
