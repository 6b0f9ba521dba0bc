public import Foundation
import Glibc

/// A Redis server of a test's own, on a port of its own. It goes with the last reference to it.
public final class RedisServer: Sendable {
    public struct Fault: Error, CustomStringConvertible {
        public let description: String
    }

    /// A port of the system's choice may be taken again before the server has it.
    private static let mostPorts = 5

    /// All that it has is in here.
    public let folder: URL
    public let port: Int
    private let arguments: [String]

    /// - Parameters:
    ///   - arguments: settings, such as `--appendonly yes`; nothing is saved without.
    ///   - prepare: fills the folder before the server starts, and gives further settings. What it writes into
    ///     `redis.conf` there is read first.
    public init(_ arguments: [String] = [], prepare: (URL) throws -> [String] = { _ in [] }) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "widgetd-redis-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.arguments = arguments + (try prepare(folder))
        var found: Int?
        for _ in 0..<Self.mostPorts where found == nil {
            let (listener, port) = try Sockets.listen()
            Sockets.close(listener)
            if try Self.start(folder, port, self.arguments) { found = port }
        }
        guard let found else { throw Fault(description: "redis-server does not start: \(Self.log(folder))") }
        port = found
    }

    deinit {
        resume()
        kill()
        try? FileManager.default.removeItem(at: folder)
    }

    /// The address of a store on it that no other test has.
    public func url(prefix: String = UUID().uuidString) -> String { "redis://127.0.0.1:\(port)?prefix=\(prefix)" }

    /// Runs redis-cli.
    /// - Returns: what it printed.
    @discardableResult
    public func command(_ arguments: String...) throws -> String {
        try ProgramRun.output(of: "redis-cli", ["-p", String(port), "--no-auth-warning"] + arguments)
    }

    /// Ends it as a crash would.
    public func kill() {
        guard let process = Self.process(folder) else { return }
        Glibc.kill(process, SIGKILL)
        _ = Poll.until { !Self.runs(process) }
        try? FileManager.default.removeItem(at: Self.processFile(folder))
    }

    /// Starts it again after `kill`, with the data that it has on disk.
    public func start() throws {
        guard try Self.start(folder, port, arguments) else {
            throw Fault(description: "redis-server does not start again: \(Self.log(folder))")
        }
    }

    /// It answers nobody until `resume`, and keeps its connections.
    public func pause() { signal(SIGSTOP) }
    public func resume() { signal(SIGCONT) }

    private func signal(_ number: Int32) {
        if let process = Self.process(folder) { Glibc.kill(process, number) }
    }

    /// - Returns: false when the port is taken.
    private static func start(_ folder: URL, _ port: Int, _ arguments: [String]) throws -> Bool {
        try? FileManager.default.removeItem(at: logFile(folder))
        if !FileManager.default.fileExists(atPath: settingsFile(folder).path) {
            try Data().write(to: settingsFile(folder))
        }
        try ProgramRun.output(
            of: "redis-server",
            [
                settingsFile(folder).path, "--port", String(port), "--bind", "127.0.0.1", "--save", "", "--daemonize",
                "yes", "--dir", folder.path,
                "--logfile", logFile(folder).path, "--pidfile", processFile(folder).path,
            ] + arguments)
        var isReady = false
        _ = Poll.until(seconds: 20) {
            let text = log(folder)
            isReady = ["Ready to accept connections", "Sentinel ID is"].contains(where: text.contains)
            return isReady
                || ["Failed listening", "Could not create", "Error", "Aborting"].contains(where: text.contains)
        }
        return isReady
    }

    private static func settingsFile(_ folder: URL) -> URL { folder.appending(path: "redis.conf") }
    private static func logFile(_ folder: URL) -> URL { folder.appending(path: "redis.log") }
    private static func processFile(_ folder: URL) -> URL { folder.appending(path: "redis.pid") }
    private static func log(_ folder: URL) -> String {
        (try? String(contentsOf: logFile(folder), encoding: .utf8)) ?? "it has not logged anything"
    }

    /// One that has ended stays in the list until init has taken note.
    private static func runs(_ process: pid_t) -> Bool {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return false }
        return !text.drop { $0 != ")" }.hasPrefix(") Z")
    }

    private static func process(_ folder: URL) -> pid_t? {
        guard let text = try? String(contentsOf: processFile(folder), encoding: .utf8) else { return nil }
        return pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
