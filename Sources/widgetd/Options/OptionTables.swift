import WidgetAMQP
import WidgetContract
import WidgetWorker

/// The options of the commands. Help, completion, the manual and `check` are made from these tables.
extension Option {
    /// Of every command.
    static let common = [
        Option("config", "FILE", "options from a JSON5 file, behind the command line and the environment", .file), help,
    ]
    static let help = Option("help", nil, "show this text")

    /// What decides: of `run` and `apply` alike.
    static let deciding: [Option] = [
        defaultAccount,
        Option(
            "max-widgets", "COUNT", "widgets an account may have, 0 for any number", standard: "50",
            .wholeNumber(0...Int(Int32.max))),
        maxBody,
    ]

    static let defaultAccount = Option(
        "default-account", "NAME", "the account of messages that name none", standard: "default",
        .checked(OptionRules.account))
    static let maxBody = Option(
        "max-body", "BYTES", "largest body, plain or inflated", standard: "262144",
        .wholeNumber(1...MessageLimits.largestConfigurableBody))
    static let now = Option(
        "now", "TIME", "the clock for lines without \"at\", RFC 3339 (else the real clock)",
        .checked(OptionRules.time))
    static let json = Option("json", nil, "JSON for programs in place of a table for people")

    static func store(standard: String) -> Option {
        Option(
            "store", "STORE", "sqlite:PATH, redis://… or memory:", standard: standard, isSecret: true,
            .checked(OptionRules.store))
    }

    static let apply: [Option] =
        deciding + [
            store(standard: "memory:"), now,
            Option("strict", nil, "exit with 1 when anything was rejected"),
            Option("quiet", nil, "print the summary alone"),
        ]

    static let amqpURL = Option(
        "amqp-url", "URL[,URL…]", "brokers, tried in turn", standard: "amqp://guest:guest@127.0.0.1:5672/%2f",
        isSecret: true, .checked(OptionRules.brokers))
    static let rejectionsQueue = exchange("rejections-queue", "the queue of rejections", standard: "widgets.rejections")

    /// Where the broker is and what is wanted there.
    static let broker: [Option] = [
        amqpURL,
        exchange("updates-exchange", "where updates come from", standard: "widgets.updates"),
        exchange("queue", "the queue that is consumed", standard: "widgets.updates"),
        exchange("accepted-exchange", "where accepted content goes", standard: "widgets.accepted"),
        exchange("fanout-queue", "bound to it", standard: "widgets.fanout"),
        exchange("rejected-exchange", "where rejections go", standard: "widgets.rejected"),
        rejectionsQueue,
        Option(
            "topology", Topology.Mode.allCases.map(\.rawValue), "declare exchanges and queues, or only look",
            standard: "create"),
        Option(
            "queue-type", Topology.QueueType.allCases.map(\.rawValue), "of every queue that is declared",
            standard: "quorum"),
    ]

    /// A name in the broker.
    private static func exchange(_ name: String, _ help: String, standard: String) -> Option {
        Option(name, "NAME", help, standard: standard, .checked(OptionRules.brokerName))
    }

    // Not less than a broker waits for an acknowledgement before it hands a message out again (`consumer_timeout`,
    // 30 minutes).
    static let dedupeWindow = Option(
        "dedupe-window", "SECONDS", "how long a message id is remembered", standard: "86400",
        .wholeNumber(1_800...2_592_000))

    static let run: [Option] =
        deciding + broker + [
            store(standard: "sqlite:widgetd.db"),
            Option(
                "shards", "COUNT",
                "queues that updates are spread over by widget, 0 for the one; empty all before it changes",
                standard: "0", .wholeNumber(0...ShardList.mostShards)),
            Option(
                "consume", "all|N[,N-N…]", "the shards that this worker consumes, such as 0,2-3", standard: "all",
                .checked(OptionRules.shards)),
            // basic.qos counts in 16 bits (AMQP 0-9-1 section 1.8.3.1).
            Option(
                "prefetch", "COUNT", "messages in hand at most, divided among the shards", standard: "1000",
                .wholeNumber(1...65_535)),
            Option(
                "default-throttle", "SECONDS", "between fan-outs of a widget, 0 for none", standard: "15",
                // The contract's longest push_throttle.
                .wholeNumber(0...3600)),
            dedupeWindow,
            Option(
                "account-binding", AccountBinding.allCases.map(\.rawValue), "whose messages an account takes",
                standard: "off"),
            Option(
                "unroutable", UnroutablePolicy.allCases.map(\.rawValue), "outcomes that reach no queue",
                standard: "keep"),
            Option(
                "cached-widgets", "COUNT", "widgets kept in memory", standard: "100000",
                .wholeNumber(1...100_000_000)),
            Option(
                "drain-timeout", "SECONDS", "from SIGTERM to the end at the latest", standard: "25",
                .wholeNumber(1...3_600)),
            Option(
                "admin", "ADDRESS:PORT|off", "HTTP: health, metrics, widgets, events", standard: "127.0.0.1:9090",
                .checked(OptionRules.admin)),
            adminToken,
            Option("log-format", ["text", "json"], "of the log on standard error", standard: "text"),
            Option(
                "log-level", LogLevelName.allCases.map(\.rawValue), "the least that is logged", standard: "info"),
        ]

    static let adminToken = Option(
        "admin-token", "TOKEN", "wanted of every HTTP request where the admin address is not loopback", isSecret: true)

    /// The admin address of a worker that is asked.
    static func admin(_ help: String) -> [Option] {
        [Option("admin", "ADDRESS:PORT|off", help, .checked(OptionRules.admin)), adminToken]
    }

    /// Of `get` and `list`.
    static let reading: [Option] =
        [
            Option(
                "store", "STORE", "where the worker keeps its state: sqlite:PATH or redis://…",
                standard: "sqlite:widgetd.db", isSecret: true, .checked(OptionRules.readableStore)),
            json,
        ] + admin("ask the worker there in place of the store")

    static let account = Option("account", "NAME", "of this account alone", .checked(OptionRules.account))

    static let list: [Option] =
        reading + [
            account,
            Option("template", Template.allCases.map(\.rawValue), "of this template alone"),
            Option("stale", nil, "those alone whose stale_after is over"),
            Option("pending", nil, "those alone whose fan-out waits for the end of a throttle window"),
        ]

    static let redrive: [Option] = [
        amqpURL, rejectionsQueue,
        Option("code", "CODE", "rejections with this code", .words(RejectionCode.allCases.map(\.rawValue))),
        account,
        Option("slug", "SLUG", "of this slug alone", .checked(OptionRules.slug)),
        Option("since", "TIME", "received since then: 90s, 30m, 2h, 1d ago, or RFC 3339", .checked(OptionRules.since)),
        Option("limit", "COUNT", "send so many at most, the oldest", .wholeNumber(1...Int(Int32.max))),
        Option("dry-run", nil, "list what would be sent, and send nothing"),
        Option("json", nil, "a line of JSON for each rejection that is meant"),
    ]

    static let migrate: [Option] =
        [
            Option(
                "from", "sqlite:PATH", "the store of the worker that is stopped", standard: "sqlite:widgetd.db",
                .checked(OptionRules.file)),
            Option(
                "to", "redis://…", "the store that takes over", isSecret: true, .checked(OptionRules.server)),
            Option("overwrite", nil, "although there are widgets already; those that are newer there stay"),
            dedupeWindow,
        ] + broker.filter { $0.name == "queue" }

    static let check: [Option] =
        run + [
            now,
            Option(
                "type", CommandKind.allCases.map(\.rawValue),
                "what a body alone is meant for (else a create where it names a template, and a patch)"),
            Option(
                "health", HealthCheck.Question.allCases.map(\.rawValue),
                "ask the worker that runs at --admin whether it is so; for a probe"),
            Option("online", nil, "also look at the broker, its topology and permissions, certificates and the store"),
        ]
}
