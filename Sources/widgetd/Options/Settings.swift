import Glibc
import WidgetAMQP
import WidgetContract
import WidgetSQLite
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

/// Where state is kept, as `--store` says.
enum StoreAddress {
    case memory
    case sqlite(path: String)

    /// `nil` when the text is neither.
    init?(_ text: String) {
        if text == "memory:" {
            self = .memory
        } else if text.hasPrefix("sqlite:"), text.utf8.count > 7 {
            self = .sqlite(path: String(text.dropFirst(7)))
        } else {
            return nil
        }
    }

    /// Many workers can keep their state in it.
    var isShared: Bool {
        switch self {
        case .memory, .sqlite: false
        }
    }

    /// Size of its files, the write-ahead log included; `nil` where there are none.
    var bytes: Int? {
        guard case .sqlite(let path) = self else { return nil }
        let sizes = [path, path + "-wal"].compactMap { path -> Int? in
            var status = stat()
            return unsafe stat(path, &status) == 0 ? Int(status.st_size) : nil
        }
        return sizes.isEmpty ? nil : sizes.reduce(0, +)
    }

    init(_ values: OptionValues) throws {
        guard let address = StoreAddress(try values.required("store")) else {
            preconditionFailure("--store is checked by its option's rule")
        }
        self = address
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
