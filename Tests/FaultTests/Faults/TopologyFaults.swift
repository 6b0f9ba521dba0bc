import Testing
import WidgetAMQP
import WidgetTestSupport
import WorkerTestSupport

/// Queues and exchanges that are gone, full or not bound.
extension Fault {
    static let topology = [
        // What was in the queue went with it: its senders, who have no answer, send it again.
        Fault(name: "queue-deleted", ids: .all, reusesIDs: false) { trial, plan in
            for _ in 0..<plan.rounds * 2 {
                let worker = trial.worker
                try trial.strikeUnderLoad { try worker.client.deleteQueue(worker.updates) }
                try trial.wait("it is consumed again") {
                    (try? worker.client.status(ofQueue: worker.updates).consumers) ?? 0 > 0
                }
                try trial.publishAgain()
            }
        },
        Fault(name: "exchange-deleted") { trial, plan in
            for _ in 0..<plan.rounds * 3 {
                try trial.strikeUnderLoad { try trial.worker.client.deleteExchange(trial.worker.accepted) }
            }
        },
        // Room is made while outcomes are on their way: one is refused, and a newer one behind it taken.
        Fault(name: "full-queue", comesLate: true) { trial, plan in
            let name = "full"
            for _ in 0..<plan.rounds {
                try trial.takeOutcomes()
                try trial.broker.control(
                    "set_policy", name, "^\(trial.worker.fanout)$", #"{"max-length":50,"overflow":"reject-publish"}"#)
                try trial.strike {
                    try trial.publish(200, untilWord: "the broker refuses outcomes")
                }
                try trial.wait("all is taken") {
                    try trial.takeOutcomes()
                    return try trial.isQueueEmpty() && trial.store.unsettled() == 0
                }
                try trial.broker.control("clear_policy", name)
            }
        },
        // What reached no queue is published again once it can be routed, behind what came meanwhile.
        Fault(name: "unroutable", comesLate: true) { trial, plan in
            let (client, worker) = (trial.worker.client, trial.worker)
            for _ in 0..<plan.rounds {
                try trial.strike {
                    try client.unbindQueue(worker.fanout, from: worker.accepted, key: "#")
                    try trial.waitForWord("outcomes reach no queue") { try trial.publish(200) }
                    try client.bindQueue(worker.fanout, to: worker.accepted, key: "#")
                }
                try trial.wait("the queue is empty") { try trial.isQueueEmpty() }
            }
        },
    ]
}
