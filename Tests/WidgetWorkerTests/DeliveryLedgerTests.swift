import Testing
import WidgetContract
import WidgetTestSupport

@testable import WidgetWorker

@Suite(.row(21)) struct DeliveryLedgerTests {
    private enum Step {
        case fresh(UInt64)
        case redelivered(UInt64)
        case reconnect
        case forget(UInt64)
    }

    /// The answers to the deliveries.
    private func run(_ steps: Step..., remembered: [UInt64] = [], prefetch: Int = 99) -> [Bool] {
        var ledger = DeliveryLedger(remembered.map(Fingerprint.sample), prefetch: prefetch)
        var answers: [Bool] = []
        for (index, step) in steps.enumerated() {
            if case .redelivered = step {
                if index > 0, case .redelivered = steps[index - 1] {
                } else {
                    ledger.align(Self.returns(steps[index...]))
                }
            }
            switch step {
            case .fresh(let number): answers.append(ledger.wasDecided(.sample(number), redelivered: false))
            case .redelivered(let number): answers.append(ledger.wasDecided(.sample(number), redelivered: true))
            case .reconnect: ledger.connectionChanged()
            case .forget(let number): ledger.forget([.sample(number)], returnsHaveCome: false)
            }
        }
        return answers
    }

    /// What comes back together: the batch that is known before its first message is answered for.
    private static func returns(_ steps: ArraySlice<Step>) -> [Fingerprint] {
        var returns: [Fingerprint] = []
        for step in steps {
            guard case .redelivered(let number) = step else { break }
            returns.append(.sample(number))
        }
        return returns
    }

    @Test("a delivery that comes back on the next connection was decided before")
    func returns() {
        #expect(run(.fresh(1), .reconnect, .redelivered(1)) == [false, true])
        #expect(run(.fresh(1), .reconnect, .redelivered(1), .reconnect, .redelivered(1)) == [false, true, true])
        #expect(run(.fresh(1), .reconnect, .reconnect, .redelivered(1)) == [false, true])
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
