public import Foundation
public import Testing

/// A RabbitMQ node of a test's own, for what would be in other tests' way: alarms, certificates, closed connections.
/// It goes with the last reference to it.
///
/// `deploy/broker` makes it, which `WIDGETD_TEST_BROKER` names.
public final class PrivateBroker: Sendable {
    /// The broker of the suite that runs, when `WithPrivateBroker` made one.
    @TaskLocal public static var current: PrivateBroker?

    private static let program = ProcessInfo.processInfo.environment["WIDGETD_TEST_BROKER"]
    public static var isPossible: Bool { program != nil }
    public static let absence: Comment = "WIDGETD_TEST_BROKER names no deploy/broker; deploy/test sets it"

    /// All that it has is in here; a broker out of another Debian sees nothing else of this machine.
    public let folder: URL
    /// `amqp://…`, without TLS.
    public let url: String

    /// - Parameters:
    ///   - plugins: such as `rabbitmq_auth_mechanism_ssl`.
    ///   - prepare: fills the folder before the node starts, and gives lines of rabbitmq.conf.
    public init(plugins: [String] = [], prepare: (URL) throws -> String = { _ in "" }) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "widgetd-broker-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try prepare(folder).write(to: folder.appending(path: "additional.conf"), atomically: true, encoding: .utf8)
        _ = try Self.broker(folder, ["start"] + plugins)
        url = try Self.broker(folder, ["url"])
    }

    deinit {
        _ = try? Self.broker(folder, ["remove"])
        try? FileManager.default.removeItem(at: folder)
    }

    /// Ends the node and starts it again, with its data and with what its rabbitmq.conf says by now.
    public func restart() throws {
        try stop()
        try start()
    }

    public func stop() throws { _ = try Self.broker(folder, ["stop"]) }
    /// Ends the node as a crash would.
    public func kill() throws { _ = try Self.broker(folder, ["kill"]) }
    /// Starts a node that has ended, with its data.
    public func start() throws { _ = try Self.broker(folder, ["start"]) }

    /// Runs rabbitmqctl.
    /// - Returns: what it printed.
    @discardableResult
    public func control(_ arguments: String...) throws -> String {
        try ProgramRun.output(of: folder.appending(path: "rabbitmqctl").path, arguments)
    }

    /// What the node has logged since it was started.
    public var log: String {
        (try? String(contentsOf: folder.appending(path: "log/console"), encoding: .utf8)) ?? ""
    }

    private static func broker(_ folder: URL, _ arguments: [String]) throws -> String {
        try ProgramRun.output(
            of: program ?? "deploy/broker", arguments, environment: ["WIDGETD_TEST_BROKER_DIR": folder.path])
    }
}

/// Gives a suite a broker of its own, `PrivateBroker.current`.
public struct WithPrivateBroker: SuiteTrait, TestScoping {
    private let plugins: [String]

    /// - Parameter plugins: such as `rabbitmq_consistent_hash_exchange`.
    public init(plugins: String...) { self.plugins = plugins }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await PrivateBroker.$current.withValue(PrivateBroker(plugins: plugins)) { try await function() }
    }
}
