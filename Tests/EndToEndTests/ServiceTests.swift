import Foundation
import Testing
import WidgetAMQP
import WorkerTestSupport

/// What a service manager is told, and what stands in the first lines of the log.
@Suite(.enabled(if: WorkerProcess.isPossible, WorkerProcess.absence))
struct ServiceTests {
    @Test("a service manager is told of the start, of readiness with its reasons, of the stop, and that the loop turns")
    func notified() throws {
        let worker = try WorkerProcess()
        let socket = try NotifySocket(in: worker.folder)
        worker.environment["NOTIFY_SOCKET"] = socket.path
        worker.environment["WATCHDOG_USEC"] = "3000000"
        try worker.startAndWait()
        #expect(worker.waitUntil { socket.words.contains("STATUS=ready") })
        #expect(socket.words.contains("READY=1"))
        let fed = socket.words.count { $0 == "WATCHDOG=1" }
        #expect(worker.waitUntil { socket.words.count { $0 == "WATCHDOG=1" } >= fed + 2 })

        try worker.client.deleteExchange(worker.accepted)
        var message = AMQPMessage(
            exchange: worker.updates, routingKey: "acme.pages",
            body: Array(#"{"name":"n","content":{"template":"value"}}"#.utf8))
        message.type = "widget.create"
        _ = try worker.client.publish(message)
        #expect(worker.waitUntil { socket.words.contains { $0.hasPrefix("STATUS=not ready: publisher: ") } })
        #expect(worker.waitUntil { socket.words.last { $0.hasPrefix("STATUS=") } == "STATUS=ready" })
        #expect(worker.stop() == 0)
        #expect(socket.words.contains("STOPPING=1"))
        #expect(socket.words.count { $0 == "READY=1" } == 1)
    }

    @Test("a broker that is not there keeps a service from being ready, not from running")
    func withoutBroker() throws {
        let worker = try WorkerProcess()
        let socket = try NotifySocket(in: worker.folder)
        worker.environment["NOTIFY_SOCKET"] = socket.path
        worker.url = "amqp://guest:guest@127.0.0.1:1/%2f"
        try worker.start()
        #expect(worker.waitUntil { socket.words.contains { $0.hasPrefix("STATUS=not ready: consumer: ") } })
        #expect(worker.waitUntil { socket.words.contains("READY=1") })
        #expect(worker.stop() == 0)
    }

    @Test("a password on the command line is in sight of nobody who lists processes")
    func processTitle() throws {
        let worker = try WorkerProcess()
        worker.options = ["--amqp-url", "amqp://guest:secret-word@127.0.0.1:1/,amqp://other:p%40ss@127.0.0.1:1/a%2fb"]
        try worker.start()
        #expect(worker.waitUntil { worker.log.contains("not ready") })
        let title = try String(contentsOfFile: "/proc/\(worker.processID ?? 0)/cmdline", encoding: .utf8)
        #expect(title.contains("amqp://guest:***********@127.0.0.1:1/,amqp://other:******@127.0.0.1:1/a%2fb"))
        #expect(!worker.log.contains("secret-word") && !worker.log.contains("p%40ss") && !worker.log.contains("p@ss"))
    }

    @Test("the log begins with each guarantee in force")
    func guarantees() throws {
        let worker = try WorkerProcess()
        try worker.startAndWait()
        let line = try #require(worker.log.split(separator: "\n").first { $0.contains(" guarantees ") })
        for guarantee in [
            #"state="on disk before anything is published""#, "confirmed, mandatory; unroutable: keep",
            "classic, single active consumer", "acknowledging=\"after the confirms\"", "throttle=none",
            "quarantine=\"after two crashes\"",
        ] {
            #expect(line.contains(guarantee), "\(line)")
        }
    }
}
