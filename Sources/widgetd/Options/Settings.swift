import WidgetAMQP
import WidgetContract
import WidgetSQLite
import WidgetTelemetry
import WidgetWorker

extension MessageLimits {
    init(_ values: OptionValues) throws {
        self.init()
        largestBody = try values.integer("max-body", in: 1...MessageLimits.largestConfigurableBody)
        mostWidgets = try values.integer("max-widgets", in: 0...Int(Int32.max))
        defaultAccount = try values.required("default-account")
        guard AddressPattern.account.matches(defaultAccount) else {
            throw ProgramError.usage(
                "--default-account must match \(AddressPattern.account.expression), and is \"\(defaultAccount)\"")
        }
    }
}

/// Where state is kept, as `--store` says.
enum StoreAddress {
    case memory
    case sqlite(path: String)

    init(_ text: String) throws {
        if text == "memory:" {
            self = .memory
        } else if text.hasPrefix("sqlite:"), text.utf8.count > 7 {
            self = .sqlite(path: String(text.dropFirst(7)))
        } else {
            throw ProgramError.usage("--store must be sqlite:PATH or memory:, and is \"\(text)\"")
        }
    }

    /// - Parameters:
    ///   - dedupeWindow: how long a message id is remembered.
    ///   - clock: by which ids grow old, milliseconds since 1970; without it the messages' own times count.
    func open(
        dedupeWindow: Duration = .seconds(86_400), clock: (() -> Int64)? = nil
    ) throws -> any WidgetStore {
        switch self {
        case .memory: return MemoryStore(dedupeWindow: dedupeWindow, clock: clock)
        case .sqlite(let path):
            do {
                return try SQLiteStore(path: path, dedupeWindow: dedupeWindow, clock: clock)
            } catch let error as StoreError {
                throw ProgramError.unavailable(error.description)
            }
        }
    }
}

extension Worker.Configuration {
    /// Whether the account of a message must be the broker-verified user.
    private enum AccountBinding: String, CaseIterable {
        case off
        case userID = "user-id"
    }

    init(_ values: OptionValues) throws {
        self.init()
        limits = try MessageLimits(values)
        limits.bindsAccountToUser = try values.choice("account-binding", AccountBinding.self) == .userID
        // basic.qos counts in 16 bits (AMQP 0-9-1 section 1.8.3.1).
        prefetch = try values.integer("prefetch", in: 1...65_535)
        cachedWidgets = try values.integer("cached-widgets", in: 1...100_000_000)
        unroutable = try values.choice("unroutable")
        // The contract's longest push_throttle.
        throttleSeconds = try values.integer("default-throttle", in: 0...3600)
        drainMilliseconds = try values.integer("drain-timeout", in: 1...3_600) * 1000
    }
}

extension OptionValues {
    /// How long a message id is remembered, seconds: not less than a broker waits for an acknowledgement before it hands
    /// a message out again (`consumer_timeout`, 30 minutes).
    var dedupeSeconds: Int { get throws { try integer("dedupe-window", in: 1_800...2_592_000) } }
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
        for (option, name) in [
            ("updates-exchange", updatesExchange), ("queue", updatesQueue), ("accepted-exchange", acceptedExchange),
            ("fanout-queue", fanoutQueue), ("rejected-exchange", rejectedExchange),
            ("rejections-queue", rejectionsQueue),
        ] where !(1...255).contains(name.utf8.count) {
            throw ProgramError.usage("--\(option) must be a name of 1 to 255 bytes, and is \"\(name)\"")
        }
    }
}

extension Log {
    /// The levels by the names that people give them.
    private enum LevelName: String, CaseIterable {
        case debug, info, warning, error
    }

    init(_ values: OptionValues) throws {
        let level: Level =
            switch try values.choice("log-level", LevelName.self) {
            case .debug: .debug
            case .info: .info
            case .warning: .warning
            case .error: .error
            }
        self.init(format: try values.choice("log-format"), lowest: level)
    }
}
