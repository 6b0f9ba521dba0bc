import Glibc
import Testing
import WidgetTestSupport
import WorkerTestSupport

/// The broker ends, or is in trouble.
extension Fault {
    static let broker = [
        Fault(name: "broker-stopped") { trial, plan in
            try restartBroker(trial, plan) { try trial.broker.stop() }
        },
        // A broker that crashes may hand out once more what it had not written down as acknowledged.
        Fault(name: "broker-killed", ids: .all) { trial, plan in
            // It writes down lazily which quorum queues there are: a new one would be gone with it.
            try trial.broker.restart()
            try trial.worker.reconnect()
            try restartBroker(trial, plan) { try trial.broker.kill() }
        },
        Fault(name: "connections-closed") { trial, plan in
            for _ in 0..<plan.rounds * 2 {
                try trial.strikeUnderLoad(of: 600, disk: 100) {
                    try trial.broker.control("close_all_connections", "a fault test")
                    try trial.worker.reconnect()
                }
            }
        },
        Fault(name: "memory-alarm") { trial, plan in
            defer { _ = try? trial.broker.control("set_vm_memory_high_watermark", "0.4") }
            for _ in 0..<plan.rounds {
                trial.worker.signal(SIGSTOP)
                try trial.publish(200)
                try trial.strike {
                    try trial.broker.control("set_vm_memory_high_watermark", "0.0000001")
                    try trial.waitForWord("the broker asks publishers to wait") { trial.worker.signal(SIGCONT) }
                    try trial.broker.control("set_vm_memory_high_watermark", "0.4")
                }
                try trial.wait("the queue is empty") { try trial.isQueueEmpty() }
            }
        },
        Fault(name: "ack-timeout") { trial, plan in
            defer { try? setAckTimeout(1_800_000, looking: 60_000, trial) }
            try setAckTimeout(2_000, looking: 500, trial)
            // The timeout is that of new channels.
            #expect(trial.worker.stop() == 0)
            for _ in 0..<plan.rounds {
                if trial.worker.hasEnded { try trial.worker.startAndWait() }
                trial.page.setDisk(milliseconds: 4_000)
                try trial.strike {
                    try trial.waitForWord("delivery acknowledgement on channel") { try trial.publish(60) }
                }
                trial.page.setDisk(milliseconds: 0)
                try trial.wait("the queue is empty") { try trial.isQueueEmpty() }
            }
        },
    ]

    private static func restartBroker(_ trial: FaultTrial, _ plan: FaultPlan, _ end: () throws -> Void) throws {
        for _ in 0..<plan.rounds {
            try trial.strikeUnderLoad(of: 600) {
                try end()
                try trial.broker.start()
                try trial.worker.reconnect()
            }
        }
    }

    /// In milliseconds; 30 minutes and a minute are the broker's own.
    private static func setAckTimeout(_ timeout: Int, looking interval: Int, _ trial: FaultTrial) throws {
        try trial.broker.control(
            "eval",
            "application:set_env(rabbit, channel_tick_interval, \(interval)), "
                + "application:set_env(rabbit, consumer_timeout, \(timeout)).")
    }
}
