import Glibc
import WidgetAMQP
import WidgetJSONParsing
import WidgetWorker

/// Outcomes as they are published, through an exclusive queue of this connection; after a loss it connects again.
final class WatchFeed {
    enum News {
        case event(WatchEvent)
        /// The broker is gone, and why.
        case lost(String)
        case back
    }

    private let addresses: [AMQPAddress]
    private let bindings: [(exchange: String, key: String)]
    private let settings: ConnectionSettings
    private let reader = DocumentReader()
    private var client: AMQPClient?
    private var backoff = Backoff()
    private var nextAttempt = 0
    /// The last of those that are taken and not acknowledged, and how many they are.
    private var unacknowledged: (last: AMQPClientDelivery, count: Int)?

    /// Messages that wait for a reader who is slow, at most; then the oldest is dropped, for the broker's sake.
    private static let mostWaiting: Int64 = 10_000
    private static let acknowledgedAtOnce = 50
    private static let purpose = "to follow outcomes, in a queue of its own"

    /// - Throws: `ProgramError` when the broker is not there, or refuses something.
    init(_ values: OptionValues) throws {
        addresses = try AMQPAddress.list(values)
        bindings = try Self.bindings(values)
        var settings = ConnectionSettings(name: "widgetd watch")
        settings.maximumBody = 1 << 20
        self.settings = settings
        do {
            try connect()
        } catch {
            throw ProgramError.broker(error, for: Self.purpose)
        }
    }

    /// Routing keys by PROTOCOL sections 2 and 3; a code has dots of its own. With a code only rejections are meant.
    private static func bindings(_ values: OptionValues) throws -> [(exchange: String, key: String)] {
        let widget = try "\(values.text("account") ?? "*").\(values.text("slug") ?? "*")"
        let code = try values.text("code")
        let rejected = try (values.required("rejected-exchange"), "\(widget).\(code ?? "#")")
        return try (code == nil ? [(values.required("accepted-exchange"), "\(widget).#")] : []) + [rejected]
    }

    var brokers: String { addresses.map(\.description).joined(separator: ", ") }

    private func connect() throws(AMQPError) {
        let client = try AMQPClient.connect(to: addresses, settings: settings)
        do {
            let queue = try client.declareQueue(
                exclusive: true, autoDelete: true, arguments: [("x-max-length", .integer(Self.mostWaiting))])
            for binding in bindings { try client.bindQueue(queue.name, to: binding.exchange, key: binding.key) }
            try client.consume(from: queue.name, tag: "widgetd-watch", prefetch: 200, exclusive: true)
        } catch {
            client.close()
            throw error
        }
        self.client = client
        backoff.reset()
    }

    /// What comes next; `nil` when nothing does within `milliseconds`.
    func next(waitingMilliseconds milliseconds: Int) -> News? {
        guard let client else { return reconnect(waitingMilliseconds: milliseconds) }
        do {
            let patience = unacknowledged == nil ? milliseconds : 0
            guard let delivery = try client.receive(waitingMilliseconds: patience) else {
                try acknowledge(client)
                return nil
            }
            unacknowledged = (delivery, (unacknowledged?.count ?? 0) + 1)
            if unacknowledged?.count == Self.acknowledgedAtOnce { try acknowledge(client) }
            return WatchEvent(delivery.message, reader).map { .event($0) }
        } catch {
            return lose(error)
        }
    }

    private func acknowledge(_ client: AMQPClient) throws(AMQPError) {
        guard let last = unacknowledged?.last else { return }
        unacknowledged = nil
        try client.acknowledge(last, multiple: true)
    }

    private func lose(_ error: AMQPError) -> News {
        client = nil
        unacknowledged = nil
        nextAttempt = WorkerClock.system.monotonicMilliseconds() + backoff.next(slowly: false)
        return .lost(error.description)
    }

    private func reconnect(waitingMilliseconds milliseconds: Int) -> News? {
        let left = nextAttempt - WorkerClock.system.monotonicMilliseconds()
        guard left <= 0 else {
            usleep(UInt32(min(left, milliseconds)) * 1000)
            return nil
        }
        do {
            try connect()
            return .back
        } catch {
            return lose(error)
        }
    }
}
