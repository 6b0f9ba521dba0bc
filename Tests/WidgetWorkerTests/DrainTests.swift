import Testing
import WidgetTestSupport

@testable import WidgetWorker

@Suite(.row(24)) struct DrainTests {
    private enum Step {
        case begin(deadline: Int)
        case sourceStopped, finish
    }

    private func drain(_ steps: Step...) -> Drain {
        var drain = Drain()
        for step in steps {
            switch step {
            case .begin(let deadline): drain.begin(deadline: deadline)
            case .sourceStopped: drain.sourceStopped()
            case .finish: drain.finish()
            }
        }
        return drain
    }

    @Test("it is not under way until it is asked for, and has no deadline")
    func new() {
        let drain = drain()
        #expect(!drain.isUnderWay && !drain.isSourceStopped && !drain.isOver && drain.deadline == .max)
    }

    @Test("a source that was lost before the drain has not stopped for it")
    func lostBefore() {
        #expect(!drain(.sourceStopped).isSourceStopped)
        #expect(!drain(.sourceStopped, .begin(deadline: 5)).isSourceStopped)
    }

    @Test("it goes from asked for over stopped to over")
    func story() {
        let begun = drain(.begin(deadline: 5))
        #expect(begun.isUnderWay && !begun.isSourceStopped && !begun.isOver && begun.deadline == 5)
        let stopped = drain(.begin(deadline: 5), .sourceStopped)
        #expect(stopped.isUnderWay && stopped.isSourceStopped && !stopped.isOver)
        #expect(drain(.begin(deadline: 5), .sourceStopped, .finish).isOver)
    }
}
