import Synchronization
import WidgetContract
import WidgetJSON
import WidgetJSONParsing
import WidgetWorker

/// The stored state of widgets, as they would be fanned out now.
final class WidgetRoutes: Sendable {
    private static let longestList = 1_000

    private struct Reader: @unchecked Sendable {
        // Opened and used on the server's one thread alone.
        var opened: (any WidgetReader)?
    }

    private let openReader: (@Sendable () throws -> any WidgetReader)?
    private let reader = Mutex(Reader())

    init(openReader: (@Sendable () throws -> any WidgetReader)?) {
        self.openReader = openReader
    }

    func one(_ address: WidgetAddress) throws -> Response {
        guard let snapshot = try look({ try $0.widget(at: address) }), snapshot.widget.document != nil else {
            return .problem(404, "Not Found", "there is no widget \(address.slug) in account \(address.account)")
        }
        var out: [UInt8] = []
        try write(snapshot, DocumentReader(), to: &out)
        return .json(out)
    }

    /// Queries: `account`, `limit`, and `after` (`<account>/<slug>`) for the next page.
    func list(_ request: Request) throws -> Response {
        let limit = request.query["limit"].flatMap { Int($0) } ?? Self.longestList
        guard (1...Self.longestList).contains(limit) else {
            return .problem(400, "Bad Request", "limit must be from 1 to \(Self.longestList)")
        }
        let account = request.query["account"]
        let after = request.query["after"].map { $0.split(separator: "/", maxSplits: 1).map(String.init) }
        guard after.map({ $0.count == 2 }) ?? true else {
            return .problem(400, "Bad Request", "after must be ACCOUNT/SLUG")
        }
        let begin =
            after.map { WidgetAddress(account: $0[0], slug: $0[1]) }
            ?? account.map { WidgetAddress(account: $0, slug: "") }
        let snapshots = try look { try $0.widgets(after: begin, limit: limit) }
        let parser = DocumentReader()
        var out = Array("[".utf8)
        for snapshot in snapshots where account == nil || snapshot.widget.address.account == account {
            if out.count > 1 { out.append(UInt8(ascii: ",")) }
            try write(snapshot, parser, to: &out)
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

    private func look<Result: Sendable>(_ body: (any WidgetReader) throws -> Result) throws -> Result {
        guard let openReader else {
            throw StoreError("a store in memory is its worker's alone and cannot be looked into", isTransient: false)
        }
        return try reader.withLock { reader in
            let opened = try reader.opened ?? openReader()
            reader.opened = opened
            return try body(opened)
        }
    }
}
