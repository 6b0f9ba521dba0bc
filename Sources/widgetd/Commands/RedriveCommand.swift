import WidgetAMQP
import WidgetTime
import WidgetWorker

/// `redrive`: originals of rejections, sent in again.
enum RedriveCommand: Command {
    static let name = "redrive"
    static let summary = "send the originals of rejections in again, in their order, and leave the other rejections"
    static let options = Option.redrive
    static let examples = [
        "widgetd redrive --code widget.not_found --since 2h --dry-run",
        "widgetd redrive --code widget.not_found --since 2h",
        "widgetd redrive --account acme --slug oncall-pages --json | jq -r .message_id",
    ]

    static func run(_ values: OptionValues) throws -> ProgramError.Status {
        guard values.operands.isEmpty else {
            throw ProgramError.usage("redrive takes options alone, and found \"\(values.operands[0])\"")
        }
        let now = WorkerClock.system.now().milliseconds
        let selection = try RedriveSelection(values, now: now)
        var run = try RedriveRun(
            addresses: AMQPAddress.list(values), queue: values.required("rejections-queue"),
            selection: selection, limit: values.text("limit").flatMap { Int($0) }, isDryRun: values.isSet("dry-run"))
        var list = RedriveList(isJSON: values.isSet("json"), isDryRun: run.isDryRun, now: now)
        do {
            try run.run { try list.add($0) }
        } catch let error as AMQPError {
            // What was sent before is told as well.
            if run.summary.sent > 0 { try run.summary.write(to: .errors) }
            let advice = error.code == 404 ? "; --rejections-queue names the queue" : ""
            throw ProgramError.unavailable(error.description + advice)
        }
        try list.end()
        try run.summary.write(to: .errors)
        return run.summary.refusals.isEmpty ? .done : .faults
    }
}

extension RedriveSelection {
    fileprivate init(_ values: OptionValues, now: Int64) throws {
        self.init(
            code: try values.text("code"), account: try values.text("account"), slug: try values.text("slug"),
            since: try values.text("since").flatMap { PastTime.read($0, now: now) })
        guard !isEmpty else {
            throw ProgramError.usage("redrive wants at least one of --code, --account, --slug and --since")
        }
    }
}
