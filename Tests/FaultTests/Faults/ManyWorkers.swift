import Glibc
import Testing
import WidgetTestSupport
import WorkerTestSupport

/// Several workers on shards of one stream, with one store.
extension Fault {
    static let manyWorkers = [2, 4, 8].flatMap { [killed(of: $0), comeAndGo(of: $0)] }

    /// Now this one ends, now that one, at any point of its work; its shards go to their other consumer, or wait.
    private static func killed(of workers: Int) -> Fault {
        Fault(name: "\(workers)-workers-sigkill", workers: workers) { trial, plan in
            let points: [(FaultPage.Point, most: Int)] = [
                (.afterCommit, 20), (.afterPublish, 20), (.afterConfirm, 20), (.afterAcknowledgement, 20),
                (.afterAnyCall, 400),
            ]
            for number in 0..<plan.kills {
                for worker in trial.workers where worker.hasEnded { try worker.start() }
                let (point, most) = points[number % points.count]
                trial.page.kill(at: point, countdown: 1 + trial.random.below(most))
                try trial.strike {
                    // The point is passed by whoever comes first.
                    try trial.publish(120, until: "a worker is killed") { trial.workers.contains { $0.hasEnded } }
                    #expect(trial.workers.allSatisfy { !$0.hasEnded || $0.wasEnded(by: SIGKILL) })
                }
            }
        }
    }

    /// Workers are taken away in order; those that come again consume all shards. The broker gives a shard that is left
    /// to the one that has waited longest.
    private static func comeAndGo(of workers: Int) -> Fault {
        Fault(name: "\(workers)-workers-come-and-go", workers: workers) { trial, plan in
            for worker in trial.workers { worker.options += ["--consume", "all"] }
            for _ in 0..<plan.rounds * 2 * workers {
                let leaver = trial.workers[trial.random.below(workers)]
                try trial.strikeUnderLoad { #expect(leaver.stop() == 0, "\(leaver.log.suffix(1_000))") }
            }
        }
    }
}
