import Testing
import WidgetTestSupport

@testable import WidgetWorker

@Suite struct ForgottenDeliveriesTests {
    private enum Step {
        /// A batch up to this tag, whose number and one fingerprint are the tag, too.
        case fresh(UInt64)
        case returned(UInt64)
        case reconnect
        case close
    }

    /// With a prefetch of 10: which fingerprints each acknowledgement forgets, and up to which commit the store may.
    private func run(_ steps: Step...) -> (forgotten: [[UInt64]], upTo: [Int64]) {
        var deliveries = ForgottenDeliveries(prefetch: 10)
        var forgotten: [[UInt64]] = []
        var upTo: [Int64] = []
        func acknowledge(_ tag: UInt64, hadFresh: Bool) {
            let freed = deliveries.acknowledged(
                Int64(tag), lastTag: tag, [.sample(tag)], freshQueues: hadFresh ? [0] : [])
            forgotten.append((1...99).filter { freed.contains(.sample($0)) })
            upTo.append(deliveries.upTo[0])
        }
        for step in steps {
            switch step {
            case .fresh(let tag): acknowledge(tag, hadFresh: true)
            case .returned(let tag): acknowledge(tag, hadFresh: false)
            case .reconnect: deliveries.connectionChanged()
            case .close:
                deliveries.closedInOrder()
                upTo.append(deliveries.upTo[0])
            }
        }
        return (forgotten, upTo)
    }

    @Test("a batch is forgotten when a delivery a prefetch behind it is acknowledged, not before")
    func later() {
        #expect(run(.fresh(3), .fresh(12), .fresh(13), .fresh(40)) == ([[], [], [3], [12, 13]], [0, 0, 3, 13]))
    }

    @Test("a connection that is closed in order leaves nothing that could come back")
    func close() {
        #expect(run(.fresh(3), .fresh(5), .close).upTo == [0, 0, 5])
        #expect(run(.returned(3), .close).upTo == [0, 0])
    }

    @Test("the store forgets nothing while deliveries of an earlier connection may come back")
    func returns() {
        #expect(run(.returned(3), .fresh(13), .fresh(23)) == ([[], [3], [13]], [0, 0, 13]))
    }

    @Test("a new connection keeps what is not forgotten, until all returns have come")
    func connection() {
        #expect(
            run(.fresh(3), .reconnect, .returned(14), .fresh(24), .fresh(34)) == ([[], [], [14], [24]], [0, 0, 0, 24]))
    }
}
