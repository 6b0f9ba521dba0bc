public import WidgetContract
public import WidgetTelemetry

/// What a worker did since its start, and what it has in hand: plain numbers, copied out once a turn of its loop.
public struct WorkerMeasures: Sendable {
    // MARK: Counted since the start

    public internal(set) var received = 0
    /// By template, in the order of `Template.allCases`; deletions come last.
    public internal(set) var accepted = [Int](repeating: 0, count: Template.allCases.count + 1)
    /// By code, in the order of `RejectionCode.allCases`, and within each by the template of the content that was judged,
    /// in the order of `Template.allCases`; what had none comes last.
    public private(set) var rejected = [Int](
        repeating: 0, count: RejectionCode.allCases.count * (Template.allCases.count + 1))
    public internal(set) var duplicates = 0
    /// Messages to the exchange of accepted content.
    public internal(set) var fanOuts = 0
    /// Updates that went out with a later one.
    public internal(set) var coalesced = 0
    public internal(set) var receipts = 0
    /// Connections made, the first ones included.
    public internal(set) var sourceConnections = 0
    public internal(set) var publisherConnections = 0
    public internal(set) var storeFaults = 0
    /// Outcomes that the broker could not route to any queue, each time they were published.
    public internal(set) var unroutable = 0
    public internal(set) var batchSizes = Histogram(bounds: Histogram.sizes)
    /// Seconds a batch took to be read and decided, to be stored, and from its publishing to its last confirm.
    public internal(set) var deciding = Histogram(bounds: Histogram.seconds)
    public internal(set) var storing = Histogram(bounds: Histogram.seconds)
    public internal(set) var confirming = Histogram(bounds: Histogram.seconds)
    /// From the sender's `timestamp` to the decision, seconds; none is below zero.
    public internal(set) var ages = Histogram(bounds: Histogram.ages)

    // MARK: In hand now

    /// Deliveries that are not acknowledged.
    public internal(set) var unacknowledged = 0
    /// Batches with outcomes that are not confirmed, or reached no queue.
    public internal(set) var outbox = 0
    /// Fan-outs that wait for the end of a window.
    public internal(set) var pending = 0
    public internal(set) var cachedWidgets = 0
    /// Looked for in memory, since the start: those that were there, and those that the store was asked for.
    public internal(set) var cacheHits = 0
    public internal(set) var cacheMisses = 0
    public internal(set) var isBlocked = false
    public internal(set) var isReady = false

    public init() {}

    /// Rejections with this code by template, as in `rejected`.
    public func rejected(_ code: RejectionCode) -> ArraySlice<Int> {
        let width = Self.templates.count + 1
        let start = (Self.codes.firstIndex(of: code) ?? 0) * width
        return rejected[start..<start + width]
    }

    private static let templates = Template.allCases
    private static let codes = RejectionCode.allCases

    /// Counts a message and what became of it.
    public mutating func count(_ message: Message, _ verdict: Verdict) {
        received += 1
        if let sent = message.timestamp { ages.observe(max(0, Double(verdict.decidedAt) / 1000 - Double(sent))) }
        switch verdict.answer {
        case .decided(.accepted(let accepted)):
            let place = accepted.template.flatMap { Self.templates.firstIndex(of: $0) }
            self.accepted[place ?? Self.templates.count] += 1
        case .decided(.rejected(let rejection)):
            guard let code = Self.codes.firstIndex(of: rejection.code) else { break }
            let place = rejection.template.flatMap { Self.templates.firstIndex(of: $0) }
            rejected[code * (Self.templates.count + 1) + (place ?? Self.templates.count)] += 1
        case .repeated:
            duplicates += 1
        case .decidedBefore:
            duplicates += 1
            return
        }
        if message.replyTo?.isEmpty == false { receipts += 1 }
        if case .push(_, let before) = verdict.push {
            fanOuts += 1
            coalesced += before
        }
    }
}
