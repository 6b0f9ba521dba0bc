import WidgetJSON
import WidgetWorker

/// Whether the process lives, and whether the worker works.
struct HealthRoutes: Sendable {
    /// The loop turns once a second; a store that is slow to fail holds it up longer.
    private static let longestTurnSeconds = 30.0

    let view: WorkerView
    let clock: WorkerClock

    /// By the loop's turns alone: a broker or a store in trouble is no reason to start the process again.
    func live() -> Response {
        let now = clock.monotonicNanoseconds()
        let seconds = view.read { $0.turnedAt }.map { Double(now - $0) / 1e9 }
        let reasons =
            switch seconds {
            case nil: ["the worker has not begun"]
            case let seconds? where seconds > Self.longestTurnSeconds:
                ["the worker's loop has not turned for \(Int(seconds)) s"]
            default: [String]()
            }
        return answer("live", reasons)
    }

    func ready() -> Response { answer("ready", view.read { $0.reasons }) }

    private func answer(_ name: StaticString, _ reasons: [String]) -> Response {
        var out: [UInt8] = []
        var json = JSONWriter()
        json.beginObject(&out)
        json.name(name, &out)
        json.boolean(reasons.isEmpty, &out)
        json.name("reasons", &out)
        json.beginArray(&out)
        for reason in reasons { json.string(reason, &out) }
        json.endArray(&out)
        json.endObject(&out)
        return .json(out, status: reasons.isEmpty ? 200 : 503)
    }
}
