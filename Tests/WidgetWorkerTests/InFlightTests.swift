import Testing
import WidgetTestSupport

@testable import WidgetWorker

@Suite struct InFlightTests {
    private enum Step {
        case add(Int64)
        case addWithoutOutcomes(Int64)
        case confirm(Int64)
        /// All batches that are published leave.
        case leave
    }

    /// What leaves, in order, and what was published.
    private func run(_ steps: Step...) -> (left: [UInt64], published: [Int64], waiting: Int) {
        let source = FakeDeliverySource()
        source.connect()
        let publisher = FakePublisher(confirmsAtOnce: false)
        var inFlight = InFlight()
        for step in steps {
            switch step {
            case .add(let number): add(number, .sample("{}"), to: &inFlight, publisher)
            case .addWithoutOutcomes(let number): add(number, OutcomeBatch(), to: &inFlight, publisher)
            case .confirm(let number):
                _ = inFlight.confirm(Confirmations(batch: number, unroutable: []))
            case .leave:
                while let published = inFlight.next() { published.acknowledge(to: source) }
            }
        }
        return (source.acknowledged.map(\.tag), publisher.numbers, inFlight.count)
    }

    /// A batch of one delivery, whose tag is the batch's number.
    private func add(
        _ number: Int64, _ outcomes: OutcomeBatch, to inFlight: inout InFlight, _ publisher: FakePublisher
    ) {
        let position = DeliveryPosition(generation: 1, tag: UInt64(number))
        var changes = StoreChanges(now: 0)
        changes.outcomes = outcomes
        guard let intake = Intake([Delivery(position: position, redelivered: false, message: .create())]) else {
            return
        }
        let decided = intake.decided(changes)
        inFlight.add(decided.stored(by: Commit(number: number)), publishingBy: publisher)
    }

    @Test("batches leave in order, however their confirms arrive", .row(12))
    func order() {
        let early = run(.add(1), .add(2), .add(3), .confirm(3), .confirm(2), .leave)
        #expect(early.left == [] && early.waiting == 3 && early.published == [1, 2, 3])
        #expect(run(.add(1), .add(2), .confirm(1), .leave).left == [1])
        let all = run(.add(1), .add(2), .add(3), .confirm(3), .confirm(2), .confirm(1), .leave)
        #expect(all.left == [1, 2, 3] && all.waiting == 0)
    }

    @Test("a batch without outcomes is not published, and leaves when it is its turn")
    func withoutOutcomes() {
        let alone = run(.addWithoutOutcomes(1), .leave)
        #expect(alone.left == [1] && alone.published == [])
        #expect(run(.add(1), .addWithoutOutcomes(2), .leave).left == [])
        #expect(run(.add(1), .addWithoutOutcomes(2), .confirm(1), .leave).left == [1, 2])
    }

    @Test("confirms of other batches change nothing")
    func others() {
        #expect(run(.confirm(1), .add(1), .confirm(2), .leave).left == [])
        #expect(run(.add(1), .confirm(1), .leave, .confirm(1), .leave).left == [1])
    }

    @Test("confirming a batch tells its outcomes")
    func outcomes() {
        var inFlight = InFlight()
        add(1, .sample("a"), to: &inFlight, FakePublisher())
        add(2, .sample("b", "c"), to: &inFlight, FakePublisher())
        let told = [2, 3].map { inFlight.confirm(Confirmations(batch: $0, unroutable: [])) }
        #expect(told == [.sample("b", "c"), nil])
        #expect(inFlight.count == 2 && !inFlight.isEmpty)
    }

    @Test("there is no batch without deliveries")
    func empty() {
        let intake = Intake([])
        let isNothing = intake == nil
        #expect(isNothing)
    }
}
