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
        try Self.checkShards(topology, store)
        try Self.checkNames(
            topology.updatesQueues.map { (topology.shards == 0 ? "queue" : "shards", $0) } + [
                ("fanout-queue", topology.fanoutQueue), ("rejections-queue", topology.rejectionsQueue),
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

    private static func checkShards(_ topology: Topology, _ store: StoreAddress) throws {
        if let last = topology.consumedShards?.last, last >= topology.shards {
            throw ProgramError.usage(
                "--consume names shard \(last), and --shards \(topology.shards) has "
                    + (topology.shards == 0 ? "none; give their number" : "0 to \(topology.shards - 1)"))
        }
        guard topology.shards > 0 else { return }
        guard store.isShared else {
            throw ProgramError.usage(
                "--shards wants a store that all workers share (redis://…), and that of --store is this worker's alone;"
                    + " give another, or leave out --shards")
        }
        // A name is a short string (AMQP 0-9-1 section 4.2.5.3).
        guard topology.shardsExchange.utf8.count <= 255 else {
            throw ProgramError.usage("--queue must be a name of 1 to 248 bytes where --shards adds to it; shorten it")
        }
    }

    /// The same for people, a name and a sentence each.
    var sentences: [(name: String, sentence: String)] {
        fields.map { ("\($0.key)", $0.value.description) }
    }

    /// A field for each guarantee.
    var fields: KeyValuePairs<StaticString, any CustomStringConvertible> {
        [
            "state": stateSentence,
            "publishing": "persistent, confirmed, mandatory; unroutable: \(configuration.unroutable.rawValue)",
            "acknowledging": "after the confirms",
            "queues": topology.mode == .create
                ? "durable, \(topology.queueType.rawValue), single active consumer" : "as they are found",
            "shards": topology.shards == 0
                ? "none"
                : "\(ShardList.text(topology.consumedShards ?? Array(0..<topology.shards))) of \(topology.shards)",
            "repeats": "answered for \(dedupeSeconds) s",
            "throttle": configuration.throttleSeconds == 0 ? "none" : "\(configuration.throttleSeconds) s",
            "quarantine": keepsCrashNotes ? "after two crashes" : "none",
        ]
    }

    private var stateSentence: String {
        switch store {
        case .memory: "in memory, lost when the process ends"
        case .sqlite: "on disk before anything is published"
        case .redis: "in Redis before anything is published; it tells how it keeps it when it answers"
        }
    }

    /// In a file beside the store's.
    private var keepsCrashNotes: Bool {
        if case .sqlite = store { true } else { false }
    }
}
