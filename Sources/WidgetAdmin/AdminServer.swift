import WidgetJSON
public import WidgetTelemetry
public import WidgetWorker

/// The admin address: health, metrics, the state of widgets and the newest events over HTTP (PROTOCOL section 5).
///
/// It watches the worker from outside its thread; nothing that a client does makes the worker wait.
public final class AdminServer: Sendable {
    public struct Configuration: Sendable {
        public var address: AdminAddress
        /// Wanted as a bearer token of every request; an address that is not loopback must have one.
        public var token: String?
        /// Of the program.
        public var version: String
        /// What the worker promises, a name and a sentence each.
        public var guarantees: [(name: String, sentence: String)]
        public var limits: MessageLimits
        /// Size of the store's files; `nil` where it has none.
        public var storeBytes: @Sendable () -> Int?
        /// When certificates of the broker's connection end, seconds since 1970, each with its name.
        public var certificateEnds: @Sendable () -> [(name: String, end: Int64)]

        public init(
            address: AdminAddress, token: String?, version: String, guarantees: [(name: String, sentence: String)],
            limits: MessageLimits, storeBytes: @escaping @Sendable () -> Int? = { nil },
            certificateEnds: @escaping @Sendable () -> [(name: String, end: Int64)] = { [] }
        ) {
            self.address = address
            self.token = token
            self.version = version
            self.guarantees = guarantees
            self.limits = limits
            self.storeBytes = storeBytes
            self.certificateEnds = certificateEnds
        }
    }

    private let configuration: Configuration
    private let view: WorkerView
    private let server: Server
    private let watch: AnswerWatch

    /// Tell the server how the worker fares, and the log when the server no longer answers.
    public var observers: [any WorkerObserver] { [view, watch] }

    /// - Parameter openReader: looks into the store; called once, on the server's thread. `nil` when it cannot be looked into.
    public init(
        _ configuration: Configuration, clock: WorkerClock = .system, log: Log = .none,
        openReader: (@Sendable () throws -> any WidgetReader)?
    ) {
        self.configuration = configuration
        let view = WorkerView(clock: clock)
        self.view = view
        let routes = Routes(configuration, view: view, clock: clock, openReader: openReader)
        server = Server(answer: { routes.answer($0) })
        watch = AnswerWatch(server, clock: clock, log: log)
    }

    /// - Returns: the port on which it listens.
    /// - Throws: `AdminError`.
    public func start() throws -> UInt16 {
        let address = configuration.address
        guard address.isLoopback || configuration.token != nil else {
            throw AdminError(
                "the admin address \(address.host) is open to other machines and wants a token:"
                    + " name its file in WIDGETD_ADMIN_TOKEN_FILE, or listen on 127.0.0.1")
        }
        do throws(AdminSocket.Fault) {
            let (socket, port) = try AdminSocket.listening(at: address)
            guard server.start(on: socket) else { throw AdminSocket.Fault(reason: "the HTTP library could not start") }
            return port
        } catch {
            throw AdminError(
                "the admin address \(address.host):\(address.port) cannot be used: \(error.reason);"
                    + " name another with --admin, or turn it off with --admin off")
        }
    }

    /// Ends every connection, then the thread.
    public func stop() {
        view.endStreams()
        server.stop()
    }
}

/// The admin address cannot be used.
public struct AdminError: Error, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
