import WidgetWorker

/// `watch`: outcomes as they are published, drawn in a terminal or a line of JSON each.
enum WatchCommand: Command {
    static let name = "watch"
    static let summary =
        "follow accepted and rejected updates live; a line of JSON each with --json and without a terminal"
    static let options = Option.watch
    static let examples = [
        "widgetd watch --account acme", "widgetd watch --code widget.not_found",
        "widgetd watch --json | jq -r 'select(.outcome == \"rejected\").detail'",
    ]

    /// Milliseconds between two looks at the clock, the keys and the terminal's size.
    private static let pause = 100

    static func run(_ values: OptionValues) throws -> ProgramError.Status {
        guard values.operands.isEmpty else {
            throw ProgramError.usage(
                "watch takes options alone, and found \"\(values.operands[0].printable)\"; --slug follows one widget")
        }
        let feed = try WatchFeed(values)
        if values.isSet("json") { try writeJSON(feed) }
        guard Terminal.output.canDraw else {
            TextFile.write(
                line: "widgetd: standard output is no terminal that can be drawn on; a line of JSON for each event"
                    + " follows, as with --json", to: Terminal.errors.descriptor)
            try writeJSON(feed)
        }
        var board = WatchBoard()
        // The feed is there already: what changes meanwhile comes by.
        try board.fill(values)
        try draw(feed, board, "\(feed.brokers)  \(filter(values))")
        return .done
    }

    private static func filter(_ values: OptionValues) throws -> String {
        try ["account", "slug", "code"].compactMap { name in try values.text(name).map { "\(name) \($0)" } }
            .joined(separator: ", ")
    }

    private static func writeJSON(_ feed: WatchFeed) throws -> Never {
        while true {
            switch feed.next(waitingMilliseconds: 60_000) {
            case .event(let event):
                let line = event.jsonLine
                try Terminal.output.write(line: Terminal.output.isTerminal ? line.printableJSON : line)
            case .lost(let reason): say("the broker is gone, trying again: \(reason)")
            case .back: say("the broker is back; what was published meanwhile is not shown")
            case nil: break
            }
        }
    }

    private static func say(_ words: String) {
        TextFile.write(line: "widgetd: \(words.printable)", to: Terminal.errors.descriptor)
    }

    private static func draw(_ feed: WatchFeed, _ board: WatchBoard, _ subject: String) throws {
        let terminal = Terminal.output
        var board = board
        var screen = FullScreen(terminal)
        defer { screen.close() }
        var lastDrawn = 0
        while true {
            if let news = feed.next(waitingMilliseconds: pause) { board.take(news) }
            let clock = WorkerClock.system.monotonicMilliseconds()
            guard clock - lastDrawn >= pause else { continue }
            lastDrawn = clock
            if screen.typed().contains(UInt8(ascii: "q")) { return }
            let (columns, rows) = terminal.size
            let frame = WatchFrame(board, for: terminal, at: WorkerClock.system.now(), columns: columns, rows: rows)
            screen.draw(frame.lines(subject), columns: columns, rows: rows)
        }
    }
}
