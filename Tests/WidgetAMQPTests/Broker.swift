import Glibc
import Testing
import WidgetAMQP
import WidgetWorker

/// Tests that need a broker, one at a time: `WIDGETD_TEST_AMQP_URL` says where it is.
@Suite(.enabled(if: Broker.isThere), .serialized)
struct AgainstABroker {}

/// The broker for tests that need one.
enum Broker {
    static let url = environment("WIDGETD_TEST_AMQP_URL")
    static var isThere: Bool { url != nil }
    static var usesTLS: Bool { url?.hasPrefix("amqps") == true }

    /// - Parameter option: such as `heartbeat=2`.
    static func address(_ option: String? = nil) throws -> AMQPAddress {
        let url = url ?? ""
        guard let option else { return try AMQPAddress(url) }
        return try AMQPAddress(url + (url.contains("?") ? "&" : "?") + option)
    }

    /// Whether it has the plugin for consistent-hash exchanges, as deploy/test starts it.
    static let spreads: Bool = {
        guard let client = try? client() else { return false }
        defer { client.close() }
        let name = unique("spreads")
        return (try? client.declareExchange(name, type: "x-consistent-hash")) != nil
            && (try? client.deleteExchange(name)) != nil
    }()

    static func client() throws -> AMQPClient {
        try AMQPClient(address())
    }

    static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// A name that no other test uses.
    static func unique(_ word: String) -> String {
        "test.\(word).\(String(UInt64.random(in: 0 ... .max), radix: 36))"
    }

    /// A topology of its own for a test; classic queues, since they are made faster.
    static func topology(_ word: String, queueType: Topology.QueueType = .classic) -> Topology {
        let base = unique(word)
        var topology = Topology()
        topology.queueType = queueType
        topology.updatesExchange = base + ".updates"
        topology.updatesQueue = base + ".updates"
        topology.acceptedExchange = base + ".accepted"
        topology.fanoutQueue = base + ".fanout"
        topology.rejectedExchange = base + ".rejected"
        topology.rejectionsQueue = base + ".rejections"
        return topology
    }

    static func remove(_ topology: Topology) {
        guard let client = try? client() else { return }
        for queue in topology.updatesQueues + [topology.fanoutQueue, topology.rejectionsQueue] {
            _ = try? client.deleteQueue(queue)
        }
        for exchange in [
            topology.updatesExchange, topology.acceptedExchange, topology.rejectedExchange, topology.shardsExchange,
        ] {
            try? client.deleteExchange(exchange)
        }
        client.close()
    }
}

extension AMQPMessage {
    /// Its headers by name: RabbitMQ 4 keeps no order among them.
    var sortedHeaders: [AMQPHeader] { headers.sorted { $0.name < $1.name } }
}

/// Collects what a source or a publisher reports.
final class Events {
    let mailbox = Mailbox<WorkerEvent>()
    private(set) var all: [WorkerEvent] = []

    /// Whether `condition` holds over everything reported, within `seconds`.
    func waitUntil(seconds: Int = 120, _ condition: ([WorkerEvent]) -> Bool) -> Bool {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(seconds)
        while !condition(all) {
            guard clock.now < end else { return false }
            all += mailbox.take(waitingMilliseconds: 50)
        }
        return true
    }

    /// Adds what has come meanwhile.
    func collect() { all += mailbox.take(waitingMilliseconds: 0) }

    func forget() {
        collect()
        all = []
    }

    var deliveries: [Delivery] { Self.deliveries(all) }

    static func deliveries(_ events: [WorkerEvent]) -> [Delivery] {
        events.flatMap { event -> [Delivery] in
            if case .deliveries(let deliveries) = event { deliveries } else { [] }
        }
    }

    static func generations(_ events: [WorkerEvent]) -> [UInt64] {
        events.compactMap { event in
            if case .sourceReady(let generation) = event { generation } else { nil }
        }
    }

    static func confirmations(_ events: [WorkerEvent]) -> [Confirmations] {
        events.compactMap { event in
            if case .published(let confirmations) = event { confirmations } else { nil }
        }
    }

    static func refusals(_ events: [WorkerEvent]) -> [String] {
        events.compactMap { event in
            if case .refused(let reason) = event { reason } else { nil }
        }
    }

    static func losses(_ events: [WorkerEvent]) -> [String] {
        events.compactMap { event in
            switch event {
            case .sourceLost(let reason), .publisherLost(let reason): reason
            default: nil
            }
        }
    }

    static func publisherReadies(_ events: [WorkerEvent]) -> Int {
        events.count { event in
            if case .publisherReady = event { true } else { false }
        }
    }
}

/// Whether `condition` comes to hold within `seconds`.
func eventually(seconds: Int = 120, _ condition: () throws -> Bool) rethrows -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(seconds)
    while try !condition() {
        guard clock.now < end else { return false }
        usleep(20_000)
    }
    return true
}
