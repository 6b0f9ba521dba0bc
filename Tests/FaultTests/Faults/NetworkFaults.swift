import Testing
import WidgetAMQP
import WidgetTestSupport
import WorkerTestSupport

/// The network between the worker and the broker.
extension Fault {
    static let network = [
        onNetwork("network-cut") { trial, plan, relay in
            for _ in 0..<plan.rounds * 5 { try trial.strikeUnderLoad { relay.hangUp() } }
        },
        onNetwork("network-silent") { trial, plan, relay in
            for _ in 0..<plan.rounds {
                try trial.strikeUnderLoad {
                    try trial.waitForWord("not ready") { relay.fallSilent() }
                    relay.hangUp()
                }
            }
        },
        onNetwork("network-slow") { trial, plan, relay in
            for _ in 0..<plan.rounds {
                try trial.strike {
                    relay.setPace(bytesPerSecond: 20_000)
                    try trial.publish(200)
                    try trial.wait("the queue is empty") { try trial.isQueueEmpty() }
                    relay.setPace(bytesPerSecond: nil)
                }
            }
        },
    ]

    /// The worker's connections go through a relay, with heartbeats short enough to notice a silent peer.
    private static func onNetwork(
        _ name: String, _ inject: @escaping @Sendable (FaultTrial, FaultPlan, Relay) throws -> Void
    ) -> Fault {
        Fault(name: name) { trial, plan in
            let port = try AMQPAddress(trial.broker.url).port
            let relay = try Relay(to: port)
            trial.relay = relay
            #expect(trial.worker.stop() == 0)
            trial.worker.url =
                trial.broker.url.replacing(":\(port)/", with: ":\(relay.port)/") + "?heartbeat=2"
            try trial.worker.startAndWait()
            try inject(trial, plan, relay)
        }
    }
}
