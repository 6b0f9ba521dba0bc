import WidgetPresentation
import WidgetTime
import WidgetWorker

/// The board as the lines of a screen: a head, the widgets, and below them the rejections.
struct WatchFrame {
    private let board: WatchBoard
    private let terminal: Terminal
    private let now: Timestamp
    private let columns: Int
    private let rows: Int

    /// Rejections have a third of the screen at most.
    private static let share = 3
    private static let bar = 12

    init(_ board: WatchBoard, for terminal: Terminal, at now: Timestamp, columns: Int, rows: Int) {
        self.board = board
        self.terminal = terminal
        self.now = now
        self.columns = columns
        self.rows = rows
    }

    /// - Parameter subject: where it comes from and what of it is followed.
    func lines(_ subject: String) -> [String] {
        let rejections = rejectionLines(most: max(1, rows / Self.share - 1))
        let room = rows - 2 - rejections.count
        return [head(subject), status] + widgetLines(most: max(0, room - 1)) + rejections
    }

    private func head(_ subject: String) -> String {
        var line = PictureLine("widgetd watch", .bold)
        line.add("  \(subject)")
        return line.text(columns: columns, isFilled: false, for: terminal)
    }

    private var status: String {
        var line = PictureLine("")
        if let loss = board.loss {
            line.add("the broker is gone, trying again: \(loss)", .yellow)
        } else {
            let counts =
                "\(Words.count(board.entries.count, "widget")), \(board.accepted) accepted, \(board.rejected) rejected"
            line.add("\(counts); q ends", .dim)
        }
        return line.text(columns: columns, isFilled: false, for: terminal)
    }

    private func widgetLines(most: Int) -> [String] {
        guard !board.entries.isEmpty else {
            let line = PictureLine(
                "widgets show here as they change; --admin ADDRESS:PORT shows at once those there are", .dim)
            return [line.text(columns: columns, isFilled: false, for: terminal)]
        }
        var table = TextTable([
            TextTable.Column(title: "WIDGET", isFlexible: true), TextTable.Column(title: "SHOWS", isFlexible: true),
            TextTable.Column(title: "", isOptional: true),
            TextTable.Column(title: "SUBTITLE", isFlexible: true, isOptional: true),
            TextTable.Column(title: "REVISION", isRight: true, isOptional: true),
            TextTable.Column(title: "UPDATED", isRight: true), TextTable.Column(title: ""),
        ])
        // The newest stay, and each keeps its place among them.
        for entry in board.newest(most).sorted(by: { $0.name < $1.name }) { table.add(row(entry)) }
        return table.lines(for: terminal)
    }

    private func row(_ entry: WatchBoard.Entry) -> [TextTable.Cell] {
        let end = [
            TextTable.Cell("\(entry.revision)"), TextTable.Cell(Age.text(from: entry.updatedAt, now: now.milliseconds)),
        ]
        guard let widget = entry.widget else {
            return [
                TextTable.Cell(entry.name), TextTable.Cell("deleted", .dim), TextTable.Cell(""), TextTable.Cell(""),
            ]
                + end + [TextTable.Cell("")]
        }
        let shown = Presentation(
            of: PresentableWidget(widget: widget, updatedAt: Timestamp(milliseconds: entry.updatedAt)),
            on: PictureOnScreen.device, at: now)
        let summary = PictureSummary(shown)
        let bar = summary.fraction.map { Bar.text($0, columns: Self.bar) } ?? ""
        return [
            TextTable.Cell(entry.name), TextTable.Cell(summary.text, .bold), TextTable.Cell(bar, summary.style),
            TextTable.Cell(summary.subtitle),
        ] + end + [TextTable.Cell(shown.staleness == nil ? "" : "stale", .yellow)]
    }

    private func rejectionLines(most: Int) -> [String] {
        let last = board.rejections.suffix(most)
        guard !last.isEmpty else { return [] }
        let lines = last.map { rejection in
            var line = PictureLine(Age.text(from: rejection.receivedAt, now: now.milliseconds).padded(to: 12), .dim)
            line.add(rejection.code, .red)
            line.add("  \(rejection.widget)  ", .bold)
            line.add(rejection.detail)
            return line
        }
        return ([PictureLine(""), PictureLine("REJECTED", .bold)] + lines).map {
            $0.text(columns: columns, isFilled: false, for: terminal)
        }
    }
}
