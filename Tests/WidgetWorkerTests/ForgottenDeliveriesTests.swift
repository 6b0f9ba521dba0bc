import Testing
import WidgetTestSupport

@testable import WidgetWorker

@Suite struct ForgottenDeliveriesTests {
    private enum Step {
        /// A batch with one delivery, whose fingerprint goes by the batch's number.
        case fresh(Int64)
        case returned(Int64)
        case reconnect
    }

    /// The number of the batch that each acknowledgement forgets on its connection, 0 for none, and up to which number
    /// the store may forget.
    private func run(_ steps: Step...) -> (forgotten: [UInt64], upTo: [Int64]) {
        var deliveries = ForgottenDeliveries()
        var forgotten: [UInt64] = []
        var upTo: [Int64] = []
        func acknowledge(_ number: Int64, hadFresh: Bool) {
            let freed = deliveries.acknowledged(number, [.sample(UInt64(number))], hadFresh: hadFresh)
            forgotten.append((1...9).first { freed == [.sample($0)] } ?? 0)
            upTo.append(deliveries.upTo)
        }
        for step in steps {
            switch step {
            case .fresh(let number): acknowledge(number, hadFresh: true)
            case .returned(let number): acknowledge(number, hadFresh: false)
            case .reconnect: deliveries.connectionChanged()
            }
        }
        return (forgotten, upTo)
    }

    @Test("a batch is forgotten when a later one of its connection is acknowledged")
    func later() {
        #expect(run(.fresh(3), .fresh(5)) == ([0, 3], [2, 4]))
    }

    @Test("the store forgets nothing while deliveries of an earlier connection may come back")
    func returns() {
        #expect(
            run(.returned(3), .returned(4), .fresh(5), .returned(6)) == ([0, 3, 4, 5], [0, 0, 4, 5]))
    }

    @Test("a new connection keeps what is not forgotten, until all returns have come")
    func connection() {
        #expect(run(.fresh(3), .reconnect, .returned(7), .fresh(8)) == ([0, 0, 7], [2, 2, 7]))
    }
}
