import WidgetJSON
import WidgetWorker

/// What was published lately, and what is published from now on.
struct EventRoutes: Sendable {
    let view: WorkerView

    /// The newest rejections, newest first.
    func rejections() -> Response {
        let bodies = view.read { $0.events.rejections }
        var out = Array("[".utf8)
        for (index, body) in bodies.enumerated() {
            if index > 0 { out.append(UInt8(ascii: ",")) }
            out += body
        }
        out.append(UInt8(ascii: "]"))
        return .json(out)
    }

    /// Server-sent events: `accepted` and `rejected` with the message's body, from now on or behind `Last-Event-ID`.
    func stream(_ request: Request) -> Response {
        let view = view
        let last = view.read { $0.events.lastNumber }
        let begin = request.headers.lastEventID.flatMap(UInt64.init).map { min($0, last) } ?? last
        let stream = EventStream(after: begin) { after in
            let (outcomes, reached) = view.read { $0.events.news(after: after) }
            var out: [UInt8] = []
            for (number, outcome) in outcomes where outcome.destination != .reply {
                let kind = outcome.destination == .accepted ? "accepted" : "rejected"
                out += "id: \(number)\nevent: \(kind)\ndata: ".utf8
                out += PublicText.redacted(outcome.body)
                out += "\n\n".utf8
            }
            return (out, reached)
        }
        view.add(stream)
        return Response(type: "text/event-stream", content: .events(stream))
    }
}
