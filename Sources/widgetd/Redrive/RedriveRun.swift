import WidgetAMQP
import WidgetJSON
import WidgetWorker

/// A redrive under way.
///
/// A rejection is acknowledged once the broker has confirmed its original, and not before: whatever ends the process,
/// each rejection is still in the queue, or its original has been sent in, or both; then the next redrive sends the
/// original under the same id, and the worker answers it as a repeat.
struct RedriveRun {
    let isDryRun: Bool
    private(set) var summary: RedriveSummary

    private let addresses: [AMQPAddress]
    private let queue: String
    private let limit: Int
    private var decider: RedriveDecider
    private var waiting: [Item] = []
    private var publisherClient: AMQPClient?
    private var knownExchanges: [String: Bool] = ["": true]

    /// Originals that are published before their confirms are waited for.
    private static let batchSize = 200
    /// Room for an original of 64 KiB, in base64, and for what is said about it.
    private static let largestRejection = Node.longestDocument

    /// Milliseconds; an acknowledgement among many held messages is slow at the broker.
    private static let callTimeout = 60_000

    private struct Item {
        let delivery: AMQPClientDelivery
        let rejection: StoredRejection
        let original: Message
    }

    init(
        addresses: [AMQPAddress], queue: String, selection: RedriveSelection, limit: Int?, isDryRun: Bool
    ) {
        self.addresses = addresses
        self.queue = queue
        self.limit = limit ?? .max
        self.isDryRun = isDryRun
        decider = RedriveDecider(selection)
        summary = RedriveSummary(isDryRun: isDryRun)
    }

    /// - Parameter report: is told the fate of each rejection that is meant.
    /// - Throws: `AMQPError`; what was done until then is in `summary`.
    mutating func run(_ report: (RedriveFate) throws -> Void) throws {
        let held = try HeldQueue(
            queue, connect: { [addresses] () throws(AMQPError) in try Self.connect("holder", addresses) })
        defer {
            held.close()
            publisherClient?.close()
        }
        var bar = ProgressBar("rejections")
        defer { bar.clear() }
        var seen = 0
        while summary.sent + waiting.count < limit {
            if held.isFull || waiting.count == Self.batchSize { try send(held, report) }
            guard let delivery = try held.next() else { break }
            seen += 1
            switch decider.decide(Message(delivery.message)) {
            case .leave: summary.left += 1
            case .refuse(let rejection, let reason): try refuse(rejection, reason, delivery, report)
            case .send(let rejection, let original):
                waiting.append(Item(delivery: delivery, rejection: rejection, original: original))
            }
            if seen % Self.batchSize == 0 { try publisherClient?.keepAlive() }
            bar.show(seen, fraction: Double(seen) / Double(held.count))
        }
        try send(held, report)
        summary.mostReturns = held.mostReturns
    }

    private mutating func refuse(
        _ rejection: StoredRejection?, _ reason: RedriveRefusal, _ delivery: AMQPClientDelivery,
        _ report: (RedriveFate) throws -> Void
    ) throws {
        summary.refusals[reason, default: 0] += 1
        let id = delivery.message.messageID ?? ""
        try report(RedriveFate(rejectionID: id, rejection: rejection, outcome: .refused(reason)))
    }

    /// Sends in what waits, and takes its rejections out of the queue.
    private mutating func send(_ held: HeldQueue, _ report: (RedriveFate) throws -> Void) throws {
        var items: [Item] = []
        for item in waiting {
            let exchange = item.rejection.original.exchange
            if try isThere(exchange) {
                items.append(item)
            } else {
                try refuse(item.rejection, .exchangeMissing(exchange), item.delivery, report)
            }
        }
        waiting.removeAll()
        guard !items.isEmpty else { return }
        let results =
            isDryRun ? items.map { _ in .confirmed } : try publisher().publish(items.map { AMQPMessage($0.original) })
        if !isDryRun {
            try held.acknowledge(zip(items, results).filter { $1 == .confirmed }.map(\.0.delivery))
        }
        for (item, result) in zip(items, results) {
            switch result {
            case .confirmed:
                summary.sent += 1
                let id = item.delivery.message.messageID ?? ""
                try report(RedriveFate(rejectionID: id, rejection: item.rejection, outcome: .sent))
            case .unroutable:
                let exchange = item.rejection.original.exchange
                try refuse(item.rejection, .unroutable(exchange: exchange), item.delivery, report)
            case .refused: continue
            }
        }
        // To go on would be to send later ones before it.
        guard !results.contains(.refused) else {
            throw AMQPError(
                "publish: the broker refuses originals (nack), as when a queue of theirs is full; what it refused is still"
                    + " in \(queue)", next: .retry)
        }
    }

    private mutating func isThere(_ exchange: String) throws -> Bool {
        if let known = knownExchanges[exchange] { return known }
        let isThere = try publisher().hasExchange(exchange)
        knownExchanges[exchange] = isThere
        return isThere
    }

    private mutating func publisher() throws -> AMQPClient {
        if let publisherClient { return publisherClient }
        let client = try Self.connect("publisher", addresses)
        publisherClient = client
        return client
    }

    private static func connect(_ role: String, _ addresses: [AMQPAddress]) throws(AMQPError) -> AMQPClient {
        try AMQPClient.connect(
            to: addresses,
            settings: ConnectionSettings(
                name: "widgetd redrive \(role)", maximumBody: largestRejection, callTimeout: callTimeout))
    }
}
