import WidgetWorker

/// The counts at the end of a redrive.
struct RedriveSummary {
    let isDryRun: Bool
    /// Under `--dry-run`: would be sent.
    var sent = 0
    /// Not meant.
    var left = 0
    var refusals: [RedriveRefusal: Int] = [:]
    /// How often a rejection was given back to the queue before.
    var mostReturns = 0

    /// Half of the delivery limit that quorum queues have by default from RabbitMQ 4.0 on.
    private static let manyReturns = 10

    func write(to terminal: Terminal) throws {
        let refused = refusals.values.reduce(0, +)
        try terminal.write(
            line: "\(sent) \(isDryRun ? "to be sent in" : "sent in"), \(refused) refused, "
                + Words.count(left, "other") + " left in place")
        for (reason, count) in refusals.sorted(by: { $0.key.description < $1.key.description }) {
            try terminal.write(line: "  \(count) refused: \(reason)")
        }
        guard mostReturns >= Self.manyReturns else { return }
        try terminal.write(
            line:
                "  rejections were given back \(mostReturns) times, once by each redrive; a quorum queue drops them beyond"
                + " its delivery limit (20 from RabbitMQ 4.0 on): set delivery-limit to -1 by a policy")
    }
}
