import WidgetContract

/// The options of the commands that talk to a running worker through the broker.
extension Option {
    static let send: [Option] =
        broker(["amqp-url", "updates-exchange", "queue", "accepted-exchange"]) + [
            Option(
                "account", "NAME", "the widget's account (else that of --default-account)",
                .checked(OptionRules.account)),
            defaultAccount,
            Option("create", nil, "create the widget, or replace all of it"),
            Option("delete", nil, "delete the widget"),
            Option("name", "TEXT", "the widget's name, like name=TEXT"),
            Option("clear", "FIELD[,FIELD…]", "clear these fields, like FIELD="),
            Option("json", "FILE", "the whole body from a file, - for standard input, in place of fields", .file),
            Option("run", nil, "run the command behind --, and report it as a status widget"),
            Option("message-id", "ID", "makes a repeat known as one (else a random one)", .checked(messageID)),
            Option("sequence", "COUNT", "the producer's own count, which has to rise", .wholeNumber(Int.min...Int.max)),
            Option(
                "timeout", "SECONDS", "how long to wait for the worker's receipt", standard: "10",
                .wholeNumber(1...3_600)),
        ]

    static let watch: [Option] =
        broker(["amqp-url", "accepted-exchange", "rejected-exchange"]) + [
            account,
            Option("slug", "SLUG", "of this slug alone", .checked(OptionRules.slug)),
            Option("code", "CODE", "rejections with this code alone", .words(RejectionCode.allCases.map(\.rawValue))),
            Option("json", nil, "a line of JSON for each event, as `apply` writes them"),
        ] + admin("the worker that tells of the widgets there are, so that the screen does not start empty")

    private static func broker(_ names: [String]) -> [Option] { broker.filter { names.contains($0.name) } }

    /// A short string (AMQP 0-9-1 section 4.2.5.3).
    private static let messageID: @Sendable (String) -> String? = { text in
        (1...255).contains(text.utf8.count) ? nil : "must be of 1 to 255 bytes"
    }
}
