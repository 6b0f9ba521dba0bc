import Glibc
import WidgetRedis
import WidgetSQLite
import WidgetTelemetry
import WidgetWorker

/// Where state is kept, as `--store` says.
enum StoreAddress: Sendable {
    case memory
    case sqlite(path: String)
    case redis(RedisAddress)

    /// What is wanted of a text that is none, to follow the option's name.
    struct Fault: Error {
        let wanted: String
    }

    static func read(_ text: String) -> Result<StoreAddress, Fault> {
        if text == "memory:" { return .success(.memory) }
        if text.hasPrefix("sqlite:"), text.utf8.count > 7 { return .success(.sqlite(path: String(text.dropFirst(7)))) }
        guard RedisAddress.isMeant(by: text) else {
            // No more of it than its scheme: behind that may be a password.
            let scheme = text.prefix { $0 != ":" }
            let found = scheme.endIndex == text.endIndex ? "has no scheme" : "begins with \"\(scheme.prefix(20)):\""
            return .failure(Fault(wanted: "must be sqlite:PATH, redis://… or memory:, and \(found)"))
        }
        do {
            return .success(.redis(try RedisAddress(text)))
        } catch {
            return .failure(Fault(wanted: "is no address of a store: \(error)"))
        }
    }

    init(_ values: OptionValues) throws {
        guard case .success(let address) = Self.read(try values.required("store")) else {
            preconditionFailure("--store is checked by its option's rule")
        }
        self = address
    }

    /// Many workers can keep their state in it.
    var isShared: Bool {
        if case .redis = self { true } else { false }
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

    /// - Parameters:
    ///   - queues: names of those that are consumed.
    ///   - isSingleConsumer: each by one worker at a time.
    ///   - dedupeWindow: how long a message id is remembered.
    ///   - clock: by which ids grow old, milliseconds since 1970; without it the messages' own times count.
    func open(
        queues: [String] = [], isSingleConsumer: Bool = false, dedupeWindow: Duration = .seconds(86_400),
        clock: (() -> Int64)? = nil, log: Log = .none
    ) throws -> any WidgetStore {
        switch self {
        case .memory: return MemoryStore(dedupeWindow: dedupeWindow, clock: clock)
        case .sqlite(let path):
            do {
                return try SQLiteStore(path: path, dedupeWindow: dedupeWindow, clock: clock)
            } catch let error as StoreError {
                throw ProgramError.unavailable(error.description)
            }
        case .redis(let address):
            return RedisStore(
                address: address, queues: queues, isSingleConsumer: isSingleConsumer, dedupeWindow: dedupeWindow,
                clock: clock, log: log)
        }
    }

    /// Looks into it beside its worker; `nil` where nobody else can.
    var openReader: (@Sendable () throws -> any WidgetReader)? {
        switch self {
        case .memory: nil
        case .sqlite(let path): { try SQLiteReader(path: path) }
        case .redis(let address): { RedisReader(address: address) }
        }
    }
}

extension StoreAddress: CustomStringConvertible {
    /// As it is written, without a login.
    var description: String {
        switch self {
        case .memory: "memory:"
        case .sqlite(let path): "sqlite:\(path)"
        case .redis(let address): address.description
        }
    }
}
