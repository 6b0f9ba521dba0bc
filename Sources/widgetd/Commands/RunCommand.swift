import Dispatch
import Glibc
import WidgetAMQP
import WidgetAdmin
import WidgetContract
import WidgetCrashNotes
import WidgetSystemd
import WidgetTelemetry
import WidgetTime
import WidgetWorker

/// `run`: the worker.
enum RunCommand: Command {
    static let name = "run"
    static let summary = "consume, decide, store, publish, acknowledge, until SIGTERM; SIGHUP renews the connections"
    static let options = Option.run
    static let examples = [
        "widgetd run --amqp-url amqp://guest:guest@127.0.0.1:5672/%2f --store sqlite:widgetd.db",
        "WIDGETD_AMQP_URL_FILE=/run/secrets/broker widgetd run --config /etc/widgetd.json5",
    ]

    static func run(_ values: OptionValues) throws -> ProgramError.Status {
        guard values.operands.isEmpty else {
            throw ProgramError.usage("run takes options alone, and found \"\(values.operands[0])\"")
        }
        let addresses = try AMQPAddress.list(values)
        let topology = try Topology(values)
        var configuration = try Worker.Configuration(values)
        // Shards, and a queue that we declare, have a single active consumer; of another queue nobody knows.
        configuration.isOnlyConsumer = topology.mode == .create || topology.shards > 0
        let log = try Log(values)
        let clock = WorkerClock.system
        let address = try StoreAddress(values)
        let dedupeSeconds = try values.dedupeSeconds
        let guarantees = try Guarantees(
            store: address, topology: topology, configuration: configuration, dedupeSeconds: dedupeSeconds)
        let store = try address.open(
            queues: topology.updatesQueues, isSingleConsumer: configuration.isOnlyConsumer,
            dedupeWindow: .seconds(dedupeSeconds), clock: { clock.now().milliseconds }, log: log)
        let notes = try crashNotes(beside: address)
        var settings = ConnectionSettings()
        settings.maximumBody = configuration.limits.largestBody
        let source = AMQPDeliverySource(
            addresses: addresses, topology: topology, prefetch: configuration.prefetch, settings: settings, log: log)
        configuration.queues = source.queueCount
        let publisher = AMQPPublisher(addresses: addresses, topology: topology, settings: settings, log: log)
        let admin = try Admin.server(
            values, store: address, guarantees: guarantees, limits: configuration.limits, source: source, log)
        let events = Mailbox<WorkerEvent>()
        let worker = try Worker(
            source: source, publisher: publisher, store: store, configuration: configuration, events: events,
            notes: notes, observers: [ServiceManager(), RejectionLog(log)] + (admin?.observers ?? []), clock: clock,
            log: log)
        log.info(
            "starting",
            [
                "brokers": addresses.map(\.description).joined(separator: ","), "queue": topology.updatesQueue,
                "queue_type": topology.queueType.rawValue, "store": address,
                "prefetch": configuration.prefetch,
            ])
        log.info("guarantees", guarantees.fields)
        try Admin.start(admin, isWanted: values.isGiven("admin"), log)
        defer { admin?.stop() }
        for warning in values.openSecrets() { log.warning("a secret is open to others", ["reason": warning]) }
        let signals = StopSignals(events)
        let renewal = RenewalSignal(values, log) { addresses in
            source.renew(addresses)
            publisher.renew(addresses)
        }
        let summary = try worker.run()
        signals.end()
        renewal.end()
        log.info(
            "stopped",
            [
                "accepted": summary.accepted, "rejected": summary.rejected, "duplicates": summary.duplicates,
                "batches": summary.batches, "finished": summary.isClean,
            ])
        return summary.isClean ? .done : .faults
    }

    /// In a file beside the store's.
    private static func crashNotes(beside address: StoreAddress) throws -> any CrashNotes {
        guard case .sqlite(let path) = address else { return NoCrashNotes() }
        do {
            let notes = try CrashNotesFile(path: path + "-crashes")
            notes.coverThread()
            return notes
        } catch let error as CrashNotesError {
            throw ProgramError.unavailable(error.description)
        }
    }
}

/// SIGTERM and SIGINT: the first asks the worker to finish, the second ends the process at once.
private final class StopSignals {
    private let sources: [any DispatchSourceSignal]

    init(_ events: Mailbox<WorkerEvent>) {
        sources = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            return DispatchSource.makeSignalSource(signal: number, queue: .global())
        }
        let isFirst = FirstTime()
        for source in sources {
            source.setEventHandler { @Sendable in
                guard isFirst.take() else { _exit(ProgramError.Status.faults.rawValue) }
                events.post(.drain)
            }
            source.activate()
        }
    }

    func end() {
        for source in sources { source.cancel() }
    }
}
