import WidgetAMQP
import WidgetTelemetry
import WidgetWorker

/// What a worker with these settings promises, for its first line in the log.
struct Guarantees {
    private let store: StoreAddress
    private let topology: Topology
    private let configuration: Worker.Configuration
    private let dedupeSeconds: Int

    /// - Throws: `ProgramError` for settings that contradict each other.
    init(store: StoreAddress, topology: Topology, configuration: Worker.Configuration, dedupeSeconds: Int) throws {
        try Self.checkNames([
            ("queue", topology.updatesQueue), ("fanout-queue", topology.fanoutQueue),
            ("rejections-queue", topology.rejectionsQueue),
        ])
        try Self.checkNames([
            ("updates-exchange", topology.updatesExchange), ("accepted-exchange", topology.acceptedExchange),
            ("rejected-exchange", topology.rejectedExchange),
        ])
        self.store = store
        self.topology = topology
        self.configuration = configuration
        self.dedupeSeconds = dedupeSeconds
    }

    init(_ values: OptionValues) throws {
        try self.init(
            store: StoreAddress(values), topology: Topology(values), configuration: Worker.Configuration(values),
            dedupeSeconds: values.dedupeSeconds)
    }

    /// What goes out must not come in again.
    private static func checkNames(_ names: [(option: String, name: String)]) throws {
        for (index, later) in names.enumerated() {
            guard let earlier = names[..<index].first(where: { $0.name == later.name }) else { continue }
            throw ProgramError.usage(
                "--\(earlier.option) and --\(later.option) are both \"\(later.name)\": outcomes would come in as updates;"
                    + " give each a name of its own")
        }
    }

    /// The same for people, a name and a sentence each.
    var sentences: [(name: String, sentence: String)] {
        fields.map { ("\($0.key)", $0.value.description) }
    }

    /// A field for each guarantee.
    var fields: KeyValuePairs<StaticString, any CustomStringConvertible> {
        [
            "state": isDurable ? "on disk before anything is published" : "in memory, lost when the process ends",
            "publishing": "persistent, confirmed, mandatory; unroutable: \(configuration.unroutable.rawValue)",
            "acknowledging": "after the confirms",
            "queues": topology.mode == .create
                ? "durable, \(topology.queueType.rawValue), single active consumer" : "as they are found",
            "repeats": "answered for \(dedupeSeconds) s",
            "throttle": configuration.throttleSeconds == 0 ? "none" : "\(configuration.throttleSeconds) s",
            "quarantine": isDurable ? "after two crashes" : "none",
        ]
    }

    private var isDurable: Bool {
        if case .memory = store { false } else { true }
    }
}
