import WidgetRedis
import WidgetSQLite
import WidgetTime
import WidgetWorker

/// `migrate`: from a store that is one worker's to one that many share.
enum MigrateCommand: Command {
    static let name = "migrate"
    static let summary = "copy the state of a worker that is stopped from SQLite to Redis"
    static let options = Option.migrate
    static let examples = [
        "widgetd migrate --from sqlite:/var/lib/widgetd/widgetd.db --to redis://:secret@redis.example/0",
        "WIDGETD_TO_FILE=/etc/widgetd/store widgetd migrate --from sqlite:widgetd.db --overwrite",
    ]

    static func run(_ values: OptionValues) throws -> ProgramError.Status {
        guard values.operands.isEmpty else {
            throw ProgramError.usage("migrate takes options alone, and found \"\(values.operands[0])\"")
        }
        guard values.isGiven("to") else {
            throw ProgramError.usage("migrate wants --to redis://…, the store that takes over")
        }
        guard case .success(.sqlite(let path)) = StoreAddress.read(try values.required("from")),
            case .success(.redis(let address)) = StoreAddress.read(try values.required("to"))
        else { preconditionFailure("--from and --to are checked by their options' rules") }
        do {
            try copy(path, address, values)
            return .done
        } catch let error as StoreError {
            throw ProgramError.unavailable(error.description)
        }
    }

    private static func copy(_ path: String, _ address: RedisAddress, _ values: OptionValues) throws {
        guard try StoreInspection(path: path).exists else {
            throw ProgramError.unavailable("the store \(path) is not there: --from names the worker's file")
        }
        // Taking its lock: a worker that still runs is told of.
        let source = try SQLiteStore(path: path)
        let target = RedisStore(
            address: address, queues: [try values.required("queue")],
            dedupeWindow: .seconds(try values.dedupeSeconds))
        let reader = RedisReader(address: address)
        guard try values.isSet("overwrite") || reader.widgets(after: nil, limit: 1).isEmpty else {
            throw ProgramError.usage(
                "\(address) has widgets already; after a run that was cut short give --overwrite: widgets that are newer"
                    + " there stay, and all else is copied again")
        }
        var migration = StoreMigration(from: source, to: target, now: WorkerClock.system.now().milliseconds)
        var progress = ProgressBar("widgets")
        try migration.run { progress.show($0.widgets + $0.deleted + $0.newer, fraction: nil) }
        progress.clear()
        try target.close()
        try source.close()
        for line in migration.counts.lines { try Terminal.output.write(line: line) }
    }
}

extension StoreMigration.Counts {
    fileprivate var lines: [String] {
        [
            "\(Words.count(widgets, "widget")), and \(Words.count(deleted, "deleted one")) with its revision",
            "\(Words.count(newer, "widget")) left as found, newer there",
            "\(Words.count(entries, "message id")) remembered",
            "\(Words.count(pushes, "fan-out")) waiting for the end of the throttle window",
            "\(Words.count(outcomes, "outcome")) still to be published",
            "\(deliveries) deliveries to be recognised when the queue hands them out again",
        ]
    }
}
