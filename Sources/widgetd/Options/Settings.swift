import WidgetAMQP
import WidgetContract
import WidgetTelemetry
import WidgetWorker

extension MessageLimits {
    init(_ values: OptionValues) throws {
        self.init()
        largestBody = try values.integer("max-body")
        mostWidgets = try values.integer("max-widgets")
        defaultAccount = try values.required("default-account")
    }
}

/// Whether the account of a message must be the broker-verified user.
enum AccountBinding: String, CaseIterable {
    case off
    case userID = "user-id"
}

/// The log's levels by the names that people give them.
enum LogLevelName: String, CaseIterable {
    case debug, info, warning, error
}

extension Worker.Configuration {
    init(_ values: OptionValues) throws {
        self.init()
        limits = try MessageLimits(values)
        limits.bindsAccountToUser = try values.choice("account-binding", AccountBinding.self) == .userID
        prefetch = try values.integer("prefetch")
        cachedWidgets = try values.integer("cached-widgets")
        unroutable = try values.choice("unroutable")
        throttleSeconds = try values.integer("default-throttle")
        drainMilliseconds = try values.integer("drain-timeout") * 1000
    }
}

extension OptionValues {
    /// How long a message id is remembered, seconds.
    var dedupeSeconds: Int { get throws { try integer("dedupe-window") } }
}

extension AMQPAddress {
    /// The brokers; read from the secret's file each time.
    static func list(_ values: OptionValues) throws -> [AMQPAddress] { try list(values.required("amqp-url")) }
}

extension Topology {
    init(_ values: OptionValues) throws {
        self.init()
        mode = try values.choice("topology")
        queueType = try values.choice("queue-type")
        updatesExchange = try values.required("updates-exchange")
        updatesQueue = try values.required("queue")
        acceptedExchange = try values.required("accepted-exchange")
        fanoutQueue = try values.required("fanout-queue")
        rejectedExchange = try values.required("rejected-exchange")
        rejectionsQueue = try values.required("rejections-queue")
        shards = try values.integer("shards")
        consumedShards = ShardList(try values.required("consume"))?.numbers
    }
}

extension Log {
    init(_ values: OptionValues) throws {
        let level: Level =
            switch try values.choice("log-level", LogLevelName.self) {
            case .debug: .debug
            case .info: .info
            case .warning: .warning
            case .error: .error
            }
        self.init(format: try values.choice("log-format"), lowest: level)
    }
}
