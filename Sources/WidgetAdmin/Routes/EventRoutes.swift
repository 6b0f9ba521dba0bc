import WidgetJSON
import WidgetWorker

/// What was published lately, and what is published from now on.
struct EventRoutes: Sendable {
    let view: WorkerView
    private let texts = EventTexts()

    init(view: WorkerView) {
        self.view = view
    }

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
        let (view, texts) = (view, texts)
        let last = view.read { $0.events.lastNumber }
        let begin = request.headers.lastEventID.flatMap(UInt64.init).map { min($0, last) } ?? last
        let stream = EventStream(
            after: begin,
            news: { after in
                let batches = view.read { $0.events.news(after: after) }
                var out: [UInt8] = []
                for (number, outcomes) in batches { out += texts.text(of: number, outcomes) }
                return (out, batches.last?.number ?? after)
            }, tellOthers: { view.wakeStreams() })
        view.add(stream)
        return Response(type: "text/event-stream", content: .events(stream))
    }
}
