import Testing
import WidgetContract
import WidgetTestSupport

@testable import WidgetWorker

@Suite(.row(21)) struct DeliveryLedgerTests {
    private enum Step {
        case fresh(UInt64)
        case redelivered(UInt64)
        /// With an id that nothing was decided under.
        case undecided(UInt64)
        case reconnect
        case closeInOrder
        case forget(UInt64)

        /// As it is known before the first of those that come back together is answered for.
        var comesBack: DeliveryLedger.Return? {
            switch self {
            case .redelivered(let number): DeliveryLedger.Return(fingerprint: .sample(number))
            case .undecided(let number): DeliveryLedger.Return(fingerprint: .sample(number), isUndecided: true)
            default: nil
            }
        }
    }

    /// The answers to the deliveries.
    private func run(_ steps: Step..., remembered: [UInt64] = [], prefetch: Int = 99) -> [Bool] {
        var ledger = DeliveryLedger(remembered.map(Fingerprint.sample), prefetch: prefetch)
        var answers: [Bool] = []
        for (index, step) in steps.enumerated() {
            if step.comesBack != nil, index == 0 || steps[index - 1].comesBack == nil {
                ledger.align(steps[index...].prefix { $0.comesBack != nil }.compactMap(\.comesBack))
            }
            switch step {
            case .fresh(let number): answers.append(ledger.wasDecided(.sample(number), redelivered: false))
            case .redelivered(let number), .undecided(let number):
                answers.append(ledger.wasDecided(.sample(number), redelivered: true))
            case .reconnect: ledger.connectionChanged()
            case .closeInOrder: ledger.connectionClosedInOrder()
            case .forget: ledger.forget(1, returnsHaveCome: false)
            }
        }
        return answers
    }

    @Test("a delivery that comes back on the next connection was decided before")
    func returns() {
        #expect(run(.fresh(1), .reconnect, .redelivered(1)) == [false, true])
        #expect(run(.fresh(1), .reconnect, .redelivered(1), .reconnect, .redelivered(1)) == [false, true, true])
        #expect(run(.fresh(1), .reconnect, .reconnect, .redelivered(1)) == [false, true])
    }

    @Test("after an orderly close what comes back was never decided, whatever it equals")
    func closedInOrder() {
        #expect(run(.fresh(1), .closeInOrder, .reconnect, .redelivered(1)) == [false, false])
        #expect(
            run(.fresh(1), .closeInOrder, .reconnect, .redelivered(1), .closeInOrder, .reconnect, .redelivered(1))
                == [false, false, false])
        // Returns of an earlier connection were still to come.
        #expect(run(.redelivered(1), .closeInOrder, .reconnect, .redelivered(2), remembered: [1, 2]) == [true, true])
    }

    @Test("what an earlier process decided comes back decided")
    func remembered() {
        #expect(run(.reconnect, .redelivered(1), .redelivered(2), remembered: [1]) == [true, false])
    }

    @Test("on one connection the same content is a message of its own")
    func sameContent() {
        #expect(run(.fresh(1), .fresh(1), .redelivered(1)) == [false, false, false])
    }

    @Test("equal messages are told apart by how often they were decided")
    func counted() {
        #expect(
            run(.fresh(1), .fresh(1), .reconnect, .redelivered(1), .redelivered(1), .redelivered(1))
                == [false, false, true, true, false])
        #expect(run(.reconnect, .redelivered(1), .redelivered(1), remembered: [1, 1]) == [true, true])
    }

    @Test("an undecided message is told from an equal one whose acknowledgement has arrived")
    func places() {
        #expect(run(.reconnect, .redelivered(2), .redelivered(1), remembered: [1, 2]) == [true, false])
        #expect(run(.reconnect, .redelivered(1), .redelivered(9), remembered: [1, 2, 3]) == [false, false])
        #expect(
            run(.reconnect, .redelivered(1), .redelivered(2), .redelivered(1), .redelivered(2), remembered: [2, 1, 2])
                == [true, true, false, false])
    }

    @Test("an id that nothing was decided under tells where the decided ones end")
    func undecided() {
        #expect(run(.reconnect, .undecided(1), .redelivered(2), remembered: [1, 2]) == [false, false])
        #expect(
            run(.reconnect, .redelivered(1), .undecided(2), .redelivered(1), remembered: [1, 2, 1])
                == [true, false, false])
    }

    @Test("no more comes back than a prefetch")
    func prefetch() {
        let returns: [Step] = [.redelivered(1), .redelivered(2)]
        #expect(run(.reconnect, returns[0], returns[1], remembered: [1, 2, 1, 2, 3], prefetch: 2) == [false, false])
        #expect(run(.reconnect, returns[0], remembered: [1, 2, 3]) == [true])
        #expect(run(.reconnect, returns[0], remembered: [1, 2, 3], prefetch: 2) == [false])
    }

    @Test("the first delivery that does not come back ends the returns")
    func end() {
        #expect(run(.fresh(1), .reconnect, .fresh(2), .redelivered(1)) == [false, false, false])
        #expect(run(.fresh(1), .reconnect, .fresh(1)) == [false, false])
    }

    @Test("a forgotten delivery is not expected back")
    func forgotten() {
        #expect(run(.fresh(1), .forget(1), .reconnect, .redelivered(1)) == [false, false])
        #expect(run(.fresh(1), .fresh(1), .forget(1), .reconnect, .redelivered(1)) == [false, false, true])
        #expect(run(.forget(1), .fresh(1), .reconnect, .redelivered(1)) == [false, true])
    }
}
