import Foundation
import Glibc
import Testing
import WidgetAMQP

/// A topology of a test's own at the real broker, and workers on it; everything goes when the test ends.
final class WorkerProcess {
    static let url = ProcessInfo.processInfo.environment["WIDGETD_TEST_AMQP_URL"]
    static var isPossible: Bool { WidgetdProgram.isThere && url != nil }
    static let absence: Comment = "WIDGETD_TEST_AMQP_URL names no broker; deploy/test starts one"

    let client: AMQPClient
    let base = "test.\(UUID().uuidString)"
    let folder: TemporaryFolder
    /// Added to the workers' command line.
    var options: [String] = []
    /// Added to the workers' environment.
    var environment: [String: String] = [:]
    /// The broker that the workers are told of.
    var url: String
    private var running: Process?

    var updates: String { base + ".updates" }
    var fanout: String { base + ".fanout" }
    var rejections: String { base + ".rejections" }
    var accepted: String { base + ".accepted" }

    /// - Parameter url: of another broker than the tests' common one.
    init(url: String? = nil) throws {
        folder = try TemporaryFolder()
        self.url = try url ?? #require(Self.url)
        client = try AMQPClient(AMQPAddress(self.url))
    }

    deinit {
        kill()
        for queue in [updates, fanout, rejections] { _ = try? client.deleteQueue(queue) }
        for exchange in [updates, accepted, base + ".rejected"] { try? client.deleteExchange(exchange) }
        client.close()
    }

    /// What the worker said on standard error so far.
    var log: String { (try? String(contentsOfFile: folder.path("log"), encoding: .utf8)) ?? "" }

    var arguments: [String] {
        [
            "run", "--store", "sqlite:\(store)", "--default-throttle", "0", "--max-widgets", "0",
            "--admin", "off", "--prefetch", "200", "--queue-type", "classic", "--updates-exchange", updates, "--queue",
            updates, "--accepted-exchange", accepted, "--fanout-queue", fanout, "--rejected-exchange",
            base + ".rejected", "--rejections-queue", rejections,
        ]
    }

    var store: String { folder.path("w.db") }

    func start() throws {
        let process = Process()
        process.executableURL = URL(filePath: try #require(WidgetdProgram.path))
        process.arguments = arguments + options
        process.environment = ProcessInfo.processInfo.environment.merging(
            environment.merging(["WIDGETD_AMQP_URL": url]) { $1 }
        ) { $1 }
        if !FileManager.default.fileExists(atPath: folder.path("log")) {
            _ = FileManager.default.createFile(atPath: folder.path("log"), contents: nil)
        }
        let log = try #require(FileHandle(forWritingAtPath: folder.path("log")))
        try log.seekToEnd()
        process.standardError = log
        try process.run()
        running = process
    }

    /// Starts one and waits until it consumes.
    func startAndWait() throws {
        try start()
        #expect(waitUntil { (try? client.status(ofQueue: updates).consumers) ?? 0 > 0 }, "\(log)")
    }

    var processID: Int32? { running?.processIdentifier }

    /// The process has ended by itself, or was ended.
    var hasEnded: Bool { running.map { !$0.isRunning } ?? true }

    /// SIGKILL.
    func kill() {
        guard let process = running, process.isRunning else { return }
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// SIGTERM.
    /// - Returns: the exit status.
    func stop() -> Int32 {
        guard let process = running else { return -1 }
        process.terminate()
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// How many connections the workers have made, for consuming and for publishing.
    var connections: Int { log.ranges(of: "info consuming ").count + log.ranges(of: "info publishing address").count }

    /// Stops the worker; as long as it hands something back, starts it once more.
    func finish() throws {
        #expect(stop() == 0, "\(log)")
        while messages(in: updates) > 0 {
            try startAndWait()
            #expect(waitUntil { messages(in: updates) == 0 })
            #expect(stop() == 0, "\(log)")
        }
    }

    func messages(in queue: String) -> Int { (try? client.status(ofQueue: queue).messages) ?? 0 }

    /// Polls until the condition holds.
    /// - Returns: false when it does not within the time.
    func waitUntil(seconds: Int = 30, _ condition: () throws -> Bool) rethrows -> Bool {
        let end = ContinuousClock.now + .seconds(seconds)
        while try !condition() {
            guard ContinuousClock.now < end else { return false }
            // A passive look at a queue takes a turn at the broker, so this does not spin.
            _ = messages(in: updates)
        }
        return true
    }

    /// Takes everything out of a queue.
    func drain(_ queue: String) throws -> [AMQPMessage] {
        let count = messages(in: queue)
        guard count > 0 else { return [] }
        try client.consume(from: queue, tag: queue, prefetch: 1000)
        var taken: [AMQPMessage] = []
        while taken.count < count, let delivery = try client.receive(waitingMilliseconds: 5_000) {
            try client.acknowledge(delivery)
            taken.append(delivery.message)
        }
        try client.cancel(tag: queue)
        return taken
    }
}
