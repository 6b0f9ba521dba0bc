public import WidgetContract
import WidgetTelemetry
public import WidgetWorker

/// A look into a store beside its workers, which changes nothing.
public final class RedisReader: WidgetReader {
    private let session: Session

    /// Nobody waits longer for a look. Milliseconds.
    private static let longestWait = 1_000

    /// Connects when it is first asked.
    public init(address: RedisAddress) {
        var address = address
        address.connectTimeout = min(address.connectTimeout, Self.longestWait)
        address.commandTimeout = min(address.commandTimeout, Self.longestWait)
        session = Session(address, for: .look, log: .none)
    }

    /// The widget there, also a deleted one; `nil` where none ever was.
    public func widget(at address: WidgetAddress) throws -> WidgetSnapshot? {
        try reporting { () throws(RedisFault) in try snapshots([address]).first }
    }

    /// Widgets that are not deleted, in the order of account and slug.
    /// - Parameters:
    ///   - address: those behind it; `nil` for the first ones.
    ///   - limit: so many at most.
    public func widgets(after address: WidgetAddress?, limit: Int) throws -> [WidgetSnapshot] {
        try reporting { () throws(RedisFault) in
            var found: [WidgetSnapshot] = []
            var last = address
            // One that was deleted since the index was read leaves room for another.
            while found.count < limit {
                let wanted = limit - found.count
                let page = try addresses(after: last, limit: wanted)
                found += try snapshots(page).filter { $0.widget.document != nil }
                guard page.count == wanted else { break }
                last = page.last
            }
            return found
        }
    }

    private func addresses(after address: WidgetAddress?, limit: Int) throws(RedisFault) -> [WidgetAddress] {
        var command = Command("ZRANGEBYLEX", session.keys.index)
        command.add(address.map { [UInt8(ascii: "(")] + Member.bytes($0) } ?? [UInt8(ascii: "-")])
        for word in ["+", "LIMIT", "0", String(limit)] { command.add(word) }
        var addresses: [WidgetAddress] = []
        for member in try session.call([command])[0].list() { addresses.append(try Member.address(member.bytes())) }
        return addresses
    }

    private func snapshots(_ addresses: [WidgetAddress]) throws(RedisFault) -> [WidgetSnapshot] {
        var lookup = StoreLookup()
        lookup.addresses = addresses
        let found = try Lookup(lookup, session.keys).ask(session, now: .min)
        return zip(found.widgets, found.pending).compactMap { widget, push in
            widget.map { widget in
                WidgetSnapshot(
                    widget: widget,
                    pending: push.map { .init(dueAt: $0.dueAt, changed: $0.changed, updates: $0.updates) })
            }
        }
    }

    private func reporting<Result>(_ body: () throws(RedisFault) -> Result) throws -> Result {
        do throws(RedisFault) {
            return try body()
        } catch {
            throw error.storeError(of: session.address.description)
        }
    }
}
