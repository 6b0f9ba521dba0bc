import WidgetContract
import WidgetRedis
import WidgetTestSupport
import WidgetWorker

/// The store in a Redis server, looked into with Redis' own program, and by the reader where the layout is its own.
struct StoreServer: StoreContents {
    /// Of all keys.
    static let prefix = "fault"

    let server: RedisServer

    /// What workers are told.
    var address: String { server.url(prefix: Self.prefix) }

    /// The names of keys of a kind, behind it.
    private func names(_ kind: String) throws -> [String] {
        let start = "{\(Self.prefix)}:\(kind)"
        return try server.command("--scan", "--pattern", start + "*").split(separator: "\n")
            .map { String($0.dropFirst(start.count)) }
    }

    private func count(_ command: String, _ key: String) throws -> Int {
        let answer = try server.command(command, "{\(Self.prefix)}:\(key)")
        return Int(answer.filter { !$0.isWhitespace }) ?? -1
    }

    func messageIDs() throws -> Int { try names("inbox:").count }

    func unsettled() throws -> Int {
        try count("HLEN", "outbox") + count("HLEN", "outbox:owners") + count("HLEN", "pending") + count("ZCARD", "due")
    }

    func widgets() throws -> [String] {
        let reader = RedisReader(address: try RedisAddress(address))
        return try names("widget:").sorted().compactMap { name in
            let parts = name.split(separator: "/").map(String.init)
            guard
                let widget = try reader.widget(at: WidgetAddress(account: parts[0], slug: parts[1]))?.widget
            else { return nil }
            let figures = "\(widget.revision)|\(widget.sequence.map(String.init) ?? "")"
            return "\(parts[0])|\(parts[1])|\(figures)|\(String(decoding: widget.document ?? [], as: UTF8.self))"
        }
    }
}
