/// An option of the command line; each is also an environment variable.
struct Option {
    /// Without the dashes.
    let name: String
    /// What stands for its argument in the help; `nil` for a switch.
    let argument: String?
    let help: String
    /// What holds when neither the command line nor the environment says anything.
    var standard: String?
    /// The value may also come from the file that `WIDGETD_…_FILE` names.
    var isSecret = false

    /// `--default-throttle` is `WIDGETD_DEFAULT_THROTTLE`.
    var variable: String { "WIDGETD_" + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined() }

    init(_ name: String, _ argument: String?, _ help: String, standard: String? = nil, isSecret: Bool = false) {
        self.name = name
        self.argument = argument
        self.help = help
        self.standard = standard
        self.isSecret = isSecret
    }
}

extension Option {
    static let help = Option("help", nil, "show this text")

    /// What decides: of `run` and `apply` alike.
    static let deciding: [Option] = [
        Option("default-account", "NAME", "the account of messages that name none", standard: "default"),
        Option("max-widgets", "COUNT", "widgets an account may have, 0 for any number", standard: "50"),
        Option("max-body", "BYTES", "largest body, plain or inflated", standard: "262144"),
    ]

    static let apply: [Option] =
        deciding + [
            Option("store", "STORE", "memory: or sqlite:PATH", standard: "memory:"),
            Option("now", "TIME", "the clock for lines without \"at\", RFC 3339 (else the real clock)"),
            Option("strict", nil, "exit with 1 when anything was rejected"),
            Option("quiet", nil, "print the summary alone"),
        ]

    static let run: [Option] =
        deciding + [
            Option(
                "amqp-url", "URL[,URL…]", "brokers, tried in turn", standard: "amqp://guest:guest@127.0.0.1:5672/%2f",
                isSecret: true),
            Option("store", "STORE", "sqlite:PATH or memory:", standard: "sqlite:widgetd.db"),
            Option("prefetch", "COUNT", "messages in hand at most", standard: "1000"),
            Option("updates-exchange", "NAME", "where updates come from", standard: "widgets.updates"),
            Option("queue", "NAME", "the queue that is consumed", standard: "widgets.updates"),
            Option("accepted-exchange", "NAME", "where accepted content goes", standard: "widgets.accepted"),
            Option("fanout-queue", "NAME", "bound to it", standard: "widgets.fanout"),
            Option("rejected-exchange", "NAME", "where rejections go", standard: "widgets.rejected"),
            Option("rejections-queue", "NAME", "bound to it", standard: "widgets.rejections"),
            Option("topology", "create|check", "declare exchanges and queues, or only look", standard: "create"),
            Option("queue-type", "quorum|classic", "of every queue that is declared", standard: "quorum"),
            Option("default-throttle", "SECONDS", "between fan-outs of a widget, 0 for none", standard: "15"),
            Option("dedupe-window", "SECONDS", "how long a message id is remembered", standard: "86400"),
            Option("account-binding", "off|user-id", "whose messages an account takes", standard: "off"),
            Option("unroutable", "keep|warn|ignore", "outcomes that reach no queue", standard: "keep"),
            Option("cached-widgets", "COUNT", "widgets kept in memory", standard: "100000"),
            Option("drain-timeout", "SECONDS", "from SIGTERM to the end at the latest", standard: "25"),
            Option("admin", "ADDRESS:PORT|off", "HTTP address", standard: "off"),
            Option("log-format", "text|json", "of the log on standard error", standard: "text"),
            Option("log-level", "LEVEL", "debug, info, warning or error", standard: "info"),
        ]
}
