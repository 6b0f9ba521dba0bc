import WidgetContract
import WidgetJSON
import WidgetTime
import WidgetWorker

/// A running worker's widgets, read over its admin address: what a store's reader tells, but for values of action headers
/// and sequences, which the address keeps to itself.
final class AdminReader: WidgetReader {
    private let worker: WorkerQuestions

    init(_ worker: WorkerQuestions) {
        self.worker = worker
    }

    func widget(at address: WidgetAddress) throws -> WidgetSnapshot? {
        let path = "/api/widgets/\(address.account)/\(address.slug)"
        guard let body = try worker.get(path) else { return nil }
        let pending = try worker.get(path + "/pending")
        return try snapshot(body, at: 0, pending.flatMap { Pending($0, at: 0) })
    }

    func widgets(after address: WidgetAddress?, limit: Int) throws -> [WidgetSnapshot] {
        let query = "?limit=\(limit)" + (address.map { "&after=\($0.account)/\($0.slug)" } ?? "")
        guard let widgets = try worker.get("/api/widgets" + query) else { return [] }
        var waiting: [WidgetAddress: Pending] = [:]
        if let pending = try worker.get("/api/pending" + query) {
            for element in pending.elements(of: 0) {
                waiting[try Self.address(pending, element)] = Pending(pending, at: element)
            }
        }
        return try widgets.elements(of: 0).map { element in
            try snapshot(widgets, at: element, waiting[Self.address(widgets, element)])
        }
    }

    /// A fan-out that waits, without what changed: the widget's own body tells that.
    private struct Pending {
        let dueAt: Int64
        let updates: Int

        /// - Returns: `nil` when none waits.
        init?(_ document: Document, at position: Int) {
            guard let dueAt = document.integer("due_at", of: position),
                let updates = document.integer("updates", of: position)
            else { return nil }
            self.dueAt = dueAt
            self.updates = Int(updates)
        }
    }

    private static func address(_ document: Document, _ position: Int) throws -> WidgetAddress {
        guard let account = document.text("account", of: position), let slug = document.text("slug", of: position)
        else { throw StoreError("the worker tells of a widget without an address", isTransient: false) }
        return WidgetAddress(account: account, slug: slug)
    }

    private func snapshot(_ body: Document, at position: Int, _ pending: Pending?) throws -> WidgetSnapshot {
        var changed: ChangedMembers = []
        if let member = body.member("changed", of: position) {
            let pointers = ChangedMembers.pointers.map(\.description)
            for text in body.elements(of: member).compactMap({ body.string(at: $0) }) {
                guard let bit = pointers.firstIndex(of: text) else { continue }
                changed.insert(ChangedMembers(rawValue: 1 << UInt64(bit)))
            }
        }
        return WidgetSnapshot(
            widget: StoredWidget(
                address: try Self.address(body, position), revision: body.integer("revision", of: position) ?? 0,
                sequence: nil, createdAt: Self.time(body, "created_at", position),
                updatedAt: Self.time(body, "updated_at", position), document: Self.document(body, position)),
            pending: pending.map { WidgetSnapshot.Pending(dueAt: $0.dueAt, changed: changed, updates: $0.updates) })
    }

    private static func time(_ body: Document, _ member: String, _ position: Int) -> Int64 {
        body.text(member, of: position).flatMap { DateTimeText.read(Array($0.utf8)[...])?.milliseconds } ?? 0
    }

    /// The widget's own members, in their order, as a store keeps them.
    private static func document(_ body: Document, _ position: Int) -> [UInt8] {
        let own: Set = ["name", "content", "push_throttle", "stale_after"]
        let members = body.members(of: position).filter { name, _ in body.string(at: name).map(own.contains) ?? false }
        let texts = members.map { name, value in
            body.textOfValue(at: name) + CollectionOfOne(UInt8(ascii: ":")) + body.textOfValue(at: value)
        }
        return Array("{".utf8) + texts.joined(separator: [UInt8(ascii: ",")]) + Array("}".utf8)
    }
}
