import Glibc
import Testing
import WidgetTestSupport
import WorkerTestSupport

/// The end of the process, hard and in order.
extension Fault {
    static let kills = [
        kill("sigkill-after-commit", at: .afterCommit, within: 3),
        kill("sigkill-after-publish", at: .afterPublish, within: 3),
        kill("sigkill-after-confirm", at: .afterConfirm, within: 3),
        kill("sigkill-after-ack", at: .afterAcknowledgement, within: 3),
        kill("sigkill-anywhere", at: .afterAnyCall, within: 300),
        Fault(name: "sigterm-under-load") { trial, plan in
            for _ in 0..<plan.rounds * 3 {
                try trial.strikeUnderLoad { #expect(trial.worker.stop() == 0) }
            }
        },
        Fault(name: "deadly-message") { trial, plan in
            for round in 0..<plan.rounds {
                #expect(trial.worker.stop() == 0)
                try trial.publish(50)
                try trial.publishDeadly(id: "deadly-\(round)")
                try trial.publish(50)
                for _ in 0..<2 {
                    try trial.worker.start()
                    try trial.strike {
                        try trial.wait("the worker aborts") { trial.worker.hasEnded }
                        #expect(trial.worker.wasEnded(by: SIGABRT))
                    }
                }
                try trial.worker.startAndWait()
                try trial.wait("the queue is empty") { try trial.isQueueEmpty() }
            }
        },
    ]

    /// - Parameter most: times that the point may be passed.
    private static func kill(_ name: String, at point: FaultPage.Point, within most: Int) -> Fault {
        Fault(name: name) { trial, plan in
            #expect(trial.worker.stop() == 0)
            for _ in 0..<plan.kills {
                try trial.publish(120)
                trial.page.kill(at: point, countdown: 1 + trial.random.below(most))
                try trial.worker.start()
                try trial.strike {
                    try trial.publish(120, until: name) { trial.worker.hasEnded }
                    #expect(trial.worker.wasEnded(by: SIGKILL))
                }
            }
        }
    }
}
