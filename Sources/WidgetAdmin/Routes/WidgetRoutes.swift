import WidgetContract
import WidgetJSON
import WidgetJSONParsing
import WidgetWorker

/// The stored state of widgets, as they would be fanned out now.
struct WidgetRoutes: Sendable {
    private static let longestList = 1_000

    let store: StoreView
    let view: WorkerView

    private static func limit(of request: Request) -> Int? {
        guard let text = request.query["limit"] else { return longestList }
        return Int(text).flatMap { (1...longestList).contains($0) ? $0 : nil }
    }

    private static let limitProblem = Response.problem(400, "Bad Request", "limit must be from 1 to \(longestList)")

    func one(_ address: WidgetAddress) throws -> Response {
        guard let snapshot = try store.look({ try $0.widget(at: address) }), snapshot.widget.document != nil else {
            return .problem(404, "Not Found", "there is no widget \(address.slug) in account \(address.account)")
        }
        var out: [UInt8] = []
        try write(snapshot, DocumentReader(), to: &out)
        return .json(out)
    }

    /// Queries: `account`, `limit`, and `after` (`<account>/<slug>`) for the next page.
    func list(_ request: Request) throws -> Response {
        let parser = DocumentReader()
        return try array(request) { snapshot, out in try write(snapshot, parser, to: &out) }
    }

    /// The fan-outs that wait among the widgets which `list` gives for the same queries.
    func pending(_ request: Request) throws -> Response {
        try array(request) { snapshot, out in
            if snapshot.pending != nil { write(snapshot.pending, at: snapshot.widget.address, to: &out) }
        }
    }

    /// - Parameter write: appends an element for a widget, or nothing.
    private func array(
        _ request: Request, _ write: (WidgetSnapshot, inout [UInt8]) throws -> Void
    ) throws -> Response {
        guard let limit = Self.limit(of: request) else { return Self.limitProblem }
        let account = request.query["account"]
        let after = request.query["after"].map {
            $0.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        }
        guard after.map({ $0.count == 2 }) ?? true else {
            return .problem(400, "Bad Request", "after must be ACCOUNT/SLUG")
        }
        let begin =
            after.map { WidgetAddress(account: $0[0], slug: $0[1]) }
            ?? account.map { WidgetAddress(account: $0, slug: "") }
        let snapshots = try store.look { try $0.widgets(after: begin, limit: limit) }
        var out = Array("[".utf8)
        for snapshot in snapshots where account == nil || snapshot.widget.address.account == account {
            let end = out.count
            if end > 1 { out.append(UInt8(ascii: ",")) }
            let start = out.count
            try write(snapshot, &out)
            if out.count == start { out.removeSubrange(end...) }
        }
        out.append(UInt8(ascii: "]"))
        return .json(out)
    }

    /// The fan-out that waits for the end of a throttle window.
    func pending(_ address: WidgetAddress) throws -> Response {
        let pending = try store.look { try $0.widget(at: address)?.pending }
        var out: [UInt8] = []
        write(pending, at: nil, to: &out)
        return .json(out)
    }

    /// `{account, slug, due_at, updates}`, the time in milliseconds since 1970; without the address where it is known, and
    /// empty where none waits.
    private func write(_ pending: WidgetSnapshot.Pending?, at address: WidgetAddress?, to out: inout [UInt8]) {
        var json = JSONWriter()
        json.beginObject(&out)
        if let address {
            json.name("account", &out)
            json.string(address.account, &out)
            json.name("slug", &out)
            json.string(address.slug, &out)
        }
        if let pending {
            json.name("due_at", &out)
            json.integer(pending.dueAt, &out)
            json.name("updates", &out)
            json.integer(pending.updates, &out)
        }
        json.endObject(&out)
    }

    /// The newest fan-outs since the worker's start as far as they are kept, newest first; queries: `account`, `slug`,
    /// and `limit`.
    func accepted(_ request: Request) throws -> Response {
        guard let limit = Self.limit(of: request) else { return Self.limitProblem }
        let account = request.query["account"].map { Array($0.utf8)[...] }
        let slug = request.query["slug"].map { Array($0.utf8)[...] }
        var found: [ArraySlice<UInt8>] = []
        // The worker waits for whoever holds the state, so what is there is copied and then read.
        for batch in view.read({ $0.events.batches }).reversed() where found.count < limit {
            var bodies: [ArraySlice<UInt8>] = []
            batch.outcomes.visit { outcome in
                guard outcome.destination == .accepted, account.map({ outcome[.account] == $0 }) ?? true,
                    slug.map({ outcome[.slug] == $0 }) ?? true
                else { return }
                bodies.append(outcome.body)
            }
            found += bodies.reversed()
        }
        var out = Array("[".utf8)
        for (index, body) in found.prefix(limit).enumerated() {
            if index > 0 { out.append(UInt8(ascii: ",")) }
            out += PublicText.redacted(body)
        }
        out.append(UInt8(ascii: "]"))
        return .json(out)
    }

    /// What changed is what a pending fan-out gathers.
    private func write(_ snapshot: WidgetSnapshot, _ parser: DocumentReader, to out: inout [UInt8]) throws {
        var body: [UInt8] = []
        let widget = try Widget(snapshot.widget, reader: parser)
        AcceptedText.write(widget, changed: snapshot.pending?.changed ?? [], to: &body)
        out += PublicText.redacted(body[...])
    }
}
