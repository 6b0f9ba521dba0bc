import WidgetJSON
import WidgetTime
import WidgetWorker

/// The rejections that are meant: as a table for people, under `--dry-run`, or a line of JSON each for programs.
struct RedriveList {
    private let isJSON: Bool
    private let isDryRun: Bool
    private let now: Int64
    private var isEmpty = true
    private var table = TextTable([
        TextTable.Column(title: "RECEIVED", isRight: true), TextTable.Column(title: "WIDGET", isFlexible: true),
        TextTable.Column(title: "TYPE", isOptional: true), TextTable.Column(title: "CODE"),
        TextTable.Column(title: "MESSAGE", isFlexible: true, isOptional: true),
        TextTable.Column(title: "", isFlexible: true),
    ])

    /// - Parameter now: milliseconds since 1970.
    init(isJSON: Bool, isDryRun: Bool, now: Int64) {
        self.isJSON = isJSON
        self.isDryRun = isDryRun
        self.now = now
    }

    mutating func add(_ fate: RedriveFate) throws {
        isEmpty = false
        if isJSON {
            try Terminal.output.write(line: json(fate))
        } else if isDryRun {
            table.add(row(fate))
        }
    }

    func end() throws {
        if isDryRun, !isJSON, !isEmpty { try table.write(to: .output) }
    }

    private func row(_ fate: RedriveFate) -> [TextTable.Cell] {
        let rejection = fate.rejection
        let reason = if case .refused(let reason) = fate.outcome { "refused: \(reason)" } else { "" }
        return [
            TextTable.Cell(rejection.map { Age.text(from: $0.receivedAt, now: now) } ?? ""),
            TextTable.Cell(rejection.map { "\($0.account ?? "_")/\($0.slug ?? "_")" } ?? ""),
            TextTable.Cell(rejection?.original.type ?? "", .dim), TextTable.Cell(rejection?.code ?? ""),
            TextTable.Cell(rejection?.messageID ?? fate.rejectionID), TextTable.Cell(reason, .yellow),
        ]
    }

    private func json(_ fate: RedriveFate) -> String {
        var out: [UInt8] = []
        var json = JSONWriter()
        func member(_ name: StaticString, _ text: String?) {
            guard let text else { return }
            json.name(name, &out)
            json.string(text, &out)
        }
        json.beginObject(&out)
        var reason: RedriveRefusal?
        if case .refused(let refusal) = fate.outcome { reason = refusal }
        member("outcome", reason != nil ? "refused" : isDryRun ? "selected" : "sent")
        member("reason", reason?.description)
        member("rejection_id", fate.rejectionID)
        if let rejection = fate.rejection {
            member("code", rejection.code)
            member("account", rejection.account)
            member("slug", rejection.slug)
            member("received_at", Self.time(rejection.receivedAt))
            member("exchange", rejection.original.exchange)
            member("routing_key", rejection.original.routingKey)
            member("type", rejection.original.type)
            member("message_id", String(decoding: rejection.redriveID, as: UTF8.self))
        }
        json.endObject(&out)
        return String(decoding: out, as: UTF8.self)
    }

    private static func time(_ milliseconds: Int64) -> String {
        var text: [UInt8] = []
        DateTimeText.write(milliseconds: milliseconds, to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}
