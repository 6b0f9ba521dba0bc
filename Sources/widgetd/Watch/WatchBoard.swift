import WidgetJSON
import WidgetTime
import WidgetWorker

/// What has come by, as far as it is still worth a look: the newest state of each widget, the last rejections.
struct WatchBoard {
    struct Entry {
        let name: String
        let revision: Int64
        /// Milliseconds since 1970.
        let updatedAt: Int64
        /// `nil` when it was deleted.
        let widget: Document?
        /// Rises with each event.
        let order: Int
    }

    struct Rejection {
        /// Milliseconds since 1970.
        let receivedAt: Int64
        let widget: String
        let code: String
        let detail: String
    }

    private(set) var entries: [String: Entry] = [:]
    /// The newest is last.
    private(set) var rejections: [Rejection] = []
    private(set) var accepted = 0
    private(set) var rejected = 0
    /// Why the broker is gone; `nil` while it is there.
    private(set) var loss: String?
    private var order = 0

    /// Widgets and rejections that are kept.
    private static let mostWidgets = 5_000
    private static let mostRejections = 100

    mutating func take(_ news: WatchFeed.News) {
        switch news {
        case .event(.accepted(let body)): take(body, widget: body)
        case .event(.deleted(let body)): take(body, widget: nil)
        case .event(.rejected(let problem)):
            rejected += 1
            rejections.append(
                Rejection(
                    receivedAt: Self.time("received_at", problem) ?? WorkerClock.system.now().milliseconds,
                    widget: "\(problem.text("account") ?? "?")/\(problem.text("slug") ?? "?")",
                    code: problem.text("code") ?? "", detail: problem.text("detail") ?? ""))
            if rejections.count > Self.mostRejections { rejections.removeFirst() }
        case .lost(let reason): loss = reason
        case .back: loss = nil
        }
    }

    /// Shows a widget that was there before; what comes by goes before it.
    mutating func fill(_ body: Document) { show(body, widget: body) }

    private mutating func take(_ body: Document, widget: Document?) {
        accepted += 1
        show(body, widget: widget)
    }

    private mutating func show(_ body: Document, widget: Document?) {
        let name = "\(body.text("account") ?? "?")/\(body.text("slug") ?? "?")"
        let revision = body.integer("revision") ?? 0
        // After a crash of the worker an older one may come again (PROTOCOL section 2).
        guard entries[name].map({ $0.revision <= revision }) ?? true else { return }
        order += 1
        entries[name] = Entry(
            name: name, revision: revision,
            updatedAt: Self.time("updated_at", body) ?? WorkerClock.system.now().milliseconds, widget: widget,
            order: order)
        if entries.count > Self.mostWidgets {
            for old in newest(.max).suffix(Self.mostWidgets / 2) { entries[old.name] = nil }
        }
    }

    private static func time(_ member: String, _ body: Document) -> Int64? {
        body.text(member).flatMap { DateTimeText.read(Array($0.utf8)[...])?.milliseconds }
    }

    /// So many widgets at most, the one that was updated last first.
    func newest(_ count: Int) -> [Entry] {
        Array(entries.values.sorted { $0.order > $1.order }.prefix(count))
    }
}
