import WidgetContract
import WidgetTelemetry
import WidgetWorker

/// The worker's measures as Prometheus scrapes them.
struct MetricsText: Sendable {
    let version: String
    /// `nil` where the store has no size, or it cannot be told now.
    let storeBytes: @Sendable () -> Int?
    let certificateEnds: @Sendable () -> [(name: String, end: Int64)]

    private typealias Number = @Sendable (WorkerMeasures) -> Int

    private static let counters: [(name: String, help: String, value: Number)] = [
        ("received", "Messages that were decided, repeats included.", { $0.received }),
        ("duplicates", "Messages answered from the inbox.", { $0.duplicates }),
        ("fanouts", "States published to devices.", { $0.fanOuts }),
        ("coalesced", "Updates that went out with a later one.", { $0.coalesced }),
        ("receipts", "Receipts sent to senders.", { $0.receipts }),
        ("store_faults", "Attempts of the store that failed and were made again.", { $0.storeFaults }),
        ("unroutable", "Outcomes that reached no queue.", { $0.unroutable }),
    ]

    private static let gauges: [(name: String, help: String, value: Number)] = [
        ("unacknowledged", "Deliveries in hand.", { $0.unacknowledged }),
        ("outbox_batches", "Batches whose outcomes are not confirmed.", { $0.outbox }),
        ("pending_fanouts", "Fan-outs that wait for the end of a throttle window.", { $0.pending }),
        ("cached_widgets", "Widgets in memory.", { $0.cachedWidgets }),
        ("blocked", "1 while the broker asks publishers to wait.", { $0.isBlocked ? 1 : 0 }),
        ("ready", "1 while the worker is ready.", { $0.isReady ? 1 : 0 }),
    ]

    private static let histograms: [(name: String, help: String, value: @Sendable (WorkerMeasures) -> Histogram)] = [
        ("batch_messages", "Messages of a batch.", { $0.batchSizes }),
        ("message_age_seconds", "From the sender's timestamp to the decision.", { $0.ages }),
        ("confirm_seconds", "From publishing a batch to its last confirm.", { $0.confirming }),
    ]

    func write(_ measures: WorkerMeasures) -> String {
        var text = PrometheusText()
        text.family("widgetd_build_info", .gauge, "The program.")
        text.sample(1, ["version": version])
        for (name, help, value) in Self.counters {
            text.family("widgetd_\(name)_total", .counter, help)
            text.sample(value(measures))
        }
        text.family("widgetd_accepted_total", .counter, "Accepted messages by the widget's template.")
        for (template, count) in zip(Template.allCases.map(\.rawValue) + ["deleted"], measures.accepted) {
            text.sample(count, ["template": template])
        }
        writeRejections(measures, to: &text)
        text.family("widgetd_cache_lookups_total", .counter, "Widgets looked for in memory.")
        text.sample(measures.cacheHits, ["result": "hit"])
        text.sample(measures.cacheMisses, ["result": "miss"])
        text.family("widgetd_connections_total", .counter, "Connections made to the broker.")
        text.sample(measures.sourceConnections, ["side": "consumer"])
        text.sample(measures.publisherConnections, ["side": "publisher"])
        for (name, help, value) in Self.gauges {
            text.family("widgetd_\(name)", .gauge, help)
            text.sample(value(measures))
        }
        if let bytes = storeBytes() {
            text.family("widgetd_store_bytes", .gauge, "Size of the store's files.")
            text.sample(bytes)
        }
        let ends = certificateEnds()
        if !ends.isEmpty {
            text.family(
                "widgetd_certificate_expiry_timestamp_seconds", .gauge,
                "When a certificate of the connection to the broker ends, or the first of its chain.")
            for (name, end) in ends { text.sample(Int(end), ["certificate": name]) }
        }
        for (name, help, value) in Self.histograms {
            text.family("widgetd_\(name)", .histogram, help)
            text.samples(value(measures))
        }
        text.family("widgetd_stage_seconds", .histogram, "Time of a batch in a stage.")
        text.samples(measures.deciding, ["stage": "decide"])
        text.samples(measures.storing, ["stage": "store"])
        return text.text
    }

    /// A series is there before its first rejection, so that the first is an increase: for each code, and for those that
    /// judge content for each template.
    private func writeRejections(_ measures: WorkerMeasures, to text: inout PrometheusText) {
        text.family("widgetd_rejected_total", .counter, "Rejected messages by code and template of what was judged.")
        for code in RejectionCode.allCases {
            for (template, count) in zip(Template.allCases.map(\.rawValue) + ["unknown"], measures.rejected(code))
            where count > 0 || template == "unknown" || code.judgesContent {
                text.sample(count, ["code": code.rawValue, "template": template])
            }
        }
    }
}

extension RejectionCode {
    fileprivate var judgesContent: Bool { self == .contentInvalid || self == .widgetInvalid }
}
