import WidgetContract
import WidgetJSON
import WidgetTelemetry
import WidgetWorker

/// What the status page draws, as one answer.
struct StatusRoute: Sendable {
    let view: WorkerView
    let version: String
    let guarantees: [(name: String, sentence: String)]

    /// `{version, ready, reasons, guarantees, totals, rejected, samples}`; a sample's and the totals' counts
    /// are since the worker's start. Query: `since`, the `at` of the last sample that is known.
    func answer(_ request: Request) -> Response {
        let since = request.query["since"].flatMap { Int64($0) } ?? .min
        let (measures, reasons, history) = view.read { ($0.measures, $0.reasons, $0.history) }
        var out: [UInt8] = []
        var json = JSONWriter()
        json.beginObject(&out)
        json.name("version", &out)
        json.string(version, &out)
        json.name("ready", &out)
        json.boolean(reasons.isEmpty, &out)
        json.name("reasons", &out)
        json.beginArray(&out)
        for reason in reasons { json.string(reason, &out) }
        json.endArray(&out)
        json.name("guarantees", &out)
        json.beginArray(&out)
        for (name, sentence) in guarantees {
            json.beginObject(&out)
            json.name("name", &out)
            json.string(name, &out)
            json.name("sentence", &out)
            json.string(sentence, &out)
            json.endObject(&out)
        }
        json.endArray(&out)
        json.name("totals", &out)
        write(measures, at: nil, &json, &out)
        json.name("rejected", &out)
        json.beginArray(&out)
        for code in RejectionCode.allCases {
            let count = measures.rejected(code).reduce(0, +)
            guard count > 0 else { continue }
            json.beginObject(&out)
            json.name("code", &out)
            json.string(code.rawValue, &out)
            json.name("count", &out)
            json.integer(count, &out)
            json.endObject(&out)
        }
        json.endArray(&out)
        json.name("samples", &out)
        json.beginArray(&out)
        for sample in history.samples where sample.at > since { write(sample.measures, at: sample.at, &json, &out) }
        json.endArray(&out)
        json.endObject(&out)
        return .json(out)
    }

    private static let numbers: [(name: StaticString, value: @Sendable (WorkerMeasures) -> Int)] = [
        ("received", { $0.received }), ("accepted", { $0.accepted.reduce(0, +) }),
        ("rejected", { $0.rejected.reduce(0, +) }), ("duplicates", { $0.duplicates }), ("fanouts", { $0.fanOuts }),
        ("coalesced", { $0.coalesced }), ("receipts", { $0.receipts }), ("unroutable", { $0.unroutable }),
        ("store_faults", { $0.storeFaults }), ("consumer_connections", { $0.sourceConnections }),
        ("publisher_connections", { $0.publisherConnections }), ("unacknowledged", { $0.unacknowledged }),
        ("outbox", { $0.outbox }), ("pending", { $0.pending }), ("cached_widgets", { $0.cachedWidgets }),
        ("blocked", { $0.isBlocked ? 1 : 0 }), ("ages", { $0.ages.count }),
    ]

    /// - Parameter moment: milliseconds since 1970.
    private func write(_ measures: WorkerMeasures, at moment: Int64?, _ json: inout JSONWriter, _ out: inout [UInt8]) {
        json.beginObject(&out)
        if let moment {
            json.name("at", &out)
            json.integer(moment, &out)
        }
        for (name, value) in Self.numbers {
            json.name(name, &out)
            json.integer(value(measures), &out)
        }
        json.name("age_seconds", &out)
        json.number(measures.ages.sum, &out)
        json.endObject(&out)
    }
}
