import Foundation
import Glibc
package import Testing
package import WidgetAMQP

/// A topology of a test's own at the real broker, and workers on it; everything goes when the test ends.
package final class WorkerProcess {
    package static let url = ProcessInfo.processInfo.environment["WIDGETD_TEST_AMQP_URL"]
    package static var isPossible: Bool { WidgetdProgram.isThere && url != nil }
    package static let absence: Comment = "WIDGETD_TEST_AMQP_URL names no broker; deploy/test starts one"

    /// The test's own connection.
    package private(set) var client: AMQPClient
    package let base: String
    /// For what the test keeps beside the worker's files.
    package let folder: TemporaryFolder
    /// Added to the workers' command line.
    package var options: [String] = []
    /// Added to the workers' environment.
    package var environment: [String: String] = [:]
    /// The broker that the workers are told of, unless their environment names a file that tells them.
    package var url: String
    /// The store's file.
    package var store: String
    /// What `--store` is given, where it is no file.
    package var storeAddress: String?
    /// Queues in place of the one for updates; 0 for the one.
    package var shards = 0
    private let broker: String
    /// Queues and exchanges go with the one that made their names.
    private let ownsTopology: Bool
    private var running: Process?

    package var updates: String { base + ".updates" }
    /// Those that updates wait in.
    package var updatesQueues: [String] { shards > 0 ? (0..<shards).map { "\(updates).\($0)" } : [updates] }
    package var fanout: String { base + ".fanout" }
    package var rejections: String { base + ".rejections" }
    package var accepted: String { base + ".accepted" }

    /// - Parameter url: of a broker other than the one that the tests share.
    package init(url: String? = nil) throws {
        folder = try TemporaryFolder()
        base = "test.\(UUID().uuidString)"
        ownsTopology = true
        broker = try url ?? #require(Self.url)
        self.url = broker
        store = folder.path("w.db")
        client = try Self.client(of: broker)
    }

    /// Another worker on the topology and the store of one that outlives it.
    package init(beside other: WorkerProcess) throws {
        folder = try TemporaryFolder()
        (base, broker, url, ownsTopology) = (other.base, other.broker, other.url, false)
        (store, storeAddress, shards) = (other.store, other.storeAddress, other.shards)
        (options, environment) = (other.options, other.environment)
        client = try Self.client(of: broker)
    }

    deinit {
        kill()
        if ownsTopology {
            for queue in updatesQueues + [fanout, rejections] { _ = try? client.deleteQueue(queue) }
            for exchange in [updates, updates + ".shards", accepted, base + ".rejected"] {
                try? client.deleteExchange(exchange)
            }
        }
        client.close()
    }

    /// A new connection for the test, after the broker has cut the old one.
    package func reconnect() throws {
        client.close()
        client = try Self.client(of: broker)
    }

    /// Without heartbeats: a test uses it now and then, and does other things for longer than a broker would wait.
    private static func client(of url: String) throws -> AMQPClient {
        var address = try AMQPAddress(url)
        address.heartbeat = 0
        return try AMQPClient(address)
    }

    /// What the worker said on standard error so far.
    package var log: String { (try? String(contentsOfFile: folder.path("log"), encoding: .utf8)) ?? "" }

    package var arguments: [String] {
        [
            "run", "--store", storeAddress ?? "sqlite:\(store)", "--shards", String(shards), "--default-throttle", "0",
            "--max-widgets", "0", "--admin", "off", "--prefetch", "200", "--queue-type", "classic",
            "--updates-exchange", updates, "--queue", updates, "--accepted-exchange", accepted, "--fanout-queue",
            fanout,
            "--rejected-exchange", base + ".rejected", "--rejections-queue", rejections,
        ]
    }

    package func start() throws {
        let process = Process()
        process.executableURL = URL(filePath: try #require(WidgetdProgram.path))
        process.arguments = arguments + options
        let address = environment["WIDGETD_AMQP_URL_FILE"] == nil ? ["WIDGETD_AMQP_URL": url] : [:]
        process.environment = ProcessInfo.processInfo.environment.merging(environment.merging(address) { $1 }) { $1 }
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
    package func startAndWait() throws {
        let before = sessions
        try start()
        #expect(waitUntil { sessions > before }, "\(log)")
    }

    /// How many connections for consuming the workers have made.
    private var sessions: Int { log.ranges(of: "info consuming ").count }

    package var processID: Int32? { running?.processIdentifier }

    /// The process has ended by itself, or was ended.
    package var hasEnded: Bool { running.map { !$0.isRunning } ?? true }

    /// A figure of the running one's memory in bytes, as /proc calls it (proc_pid_status(5)): `VmRSS`, `VmHWM`.
    package func memory(_ name: String) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(processID ?? 0)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(name + ":") })
        return try #require(line.split { $0 == "\t" || $0 == " " }.compactMap { Int($0) }.first) * 1024
    }

    /// With what status the last one has ended by itself.
    package var exitStatus: Int32? {
        guard let running, hasEnded, running.terminationReason == .exit else { return nil }
        return running.terminationStatus
    }

    /// Whether the last one was ended by this signal.
    package func wasEnded(by signal: Int32) -> Bool {
        guard let running, hasEnded else { return false }
        return running.terminationReason == .uncaughtSignal && running.terminationStatus == signal
    }

    /// Sends the running one a signal.
    package func signal(_ number: Int32) {
        if let running, running.isRunning { Glibc.kill(running.processIdentifier, number) }
    }

    /// SIGKILL.
    package func kill() {
        guard let process = running, process.isRunning else { return }
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// SIGTERM.
    /// - Returns: the exit status.
    package func stop() -> Int32 {
        guard let process = running else { return -1 }
        process.terminate()
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// How many connections the workers have made, for consuming and for publishing.
    package var connections: Int { sessions + log.ranges(of: "info publishing address").count }

    /// Stops the worker; as long as it hands something back, starts it once more.
    package func finish() throws {
        #expect(stop() == 0, "\(log)")
        while waiting > 0 {
            try startAndWait()
            #expect(waitUntil { waiting == 0 })
            #expect(stop() == 0, "\(log)")
        }
    }

    /// Updates that no worker has in hand.
    private var waiting: Int { updatesQueues.map(messages).reduce(0, +) }

    package func messages(in queue: String) -> Int { (try? client.status(ofQueue: queue).messages) ?? 0 }

    /// Polls until the condition holds.
    /// - Returns: false when it does not within the time.
    package func waitUntil(seconds: Int = 120, _ condition: () throws -> Bool) rethrows -> Bool {
        let end = ContinuousClock.now + .seconds(seconds)
        while try !condition() {
            guard ContinuousClock.now < end else { return false }
            // A passive look at a queue takes a turn at the broker, so this does not spin.
            _ = messages(in: updatesQueues[0])
        }
        return true
    }

    /// Takes out of a queue what is in it now, in order.
    package func drain(_ queue: String) throws -> [AMQPMessage] {
        let count = messages(in: queue)
        guard count > 0 else { return [] }
        // No more than that is sent before an acknowledgement, so nothing is under way when the consumer ends: a quorum
        // queue would put it behind what came later.
        try client.consume(from: queue, tag: queue, prefetch: min(count, 65_535))
        var taken: [AMQPClientDelivery] = []
        while taken.count < min(count, 65_535), let delivery = try client.receive(waitingMilliseconds: 60_000) {
            taken.append(delivery)
        }
        try client.cancel(tag: queue)
        if let last = taken.last { try client.acknowledge(last, multiple: true) }
        return taken.map(\.message)
    }
}
