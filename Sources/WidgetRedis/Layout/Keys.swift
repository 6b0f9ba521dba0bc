import WidgetContract
import WidgetJSON
import WidgetWorker

/// The names of all keys. They share a hash tag, so that a cluster keeps them in one slot: a batch is one transaction,
/// and Redis has transactions within a slot alone (https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec,
/// "hash tags").
struct Keys {
    /// Of what is stored; another layout has another number.
    static let layout = "1"

    private let start: String

    init(prefix: String) {
        start = "{\(prefix)}:"
    }

    // MARK: Of a deployment

    var layout: String { start + "layout" }
    /// Something to try commands on.
    var trial: String { start + "trial" }
    /// The last commit's number.
    var number: String { start + "number" }
    /// Sorted set: workers by the end of their lease, milliseconds of the server's clock.
    var workers: String { start + "workers" }
    /// Hash: outcomes by the number of their commit.
    var outbox: String { start + "outbox" }
    /// Hash: for each number in the outbox its worker and the queues of its deliveries, a NUL behind each.
    var outboxOwners: String { start + "outbox:owners" }
    /// Sorted set by bytes: the members of widgets that are not deleted.
    var index: String { start + "widgets" }
    /// Sorted set: members of pending fan-outs by the moment when they are to be served.
    var due: String { start + "due" }
    /// Hash: pending fan-outs by their members.
    var pending: String { start + "pending" }

    func attempt(of worker: String) -> String { "\(start)attempt:\(worker)" }

    // MARK: Of a queue

    /// The worker that consumes it, and the number that it took over with.
    func owner(of queue: String) -> String { "\(start)queue:\(queue):owner" }
    /// Sorted set: fingerprints of decided deliveries, by the number of their commit.
    func deliveries(of queue: String) -> String { "\(start)queue:\(queue):deliveries" }

    // MARK: Of an account

    func widget(_ address: WidgetAddress) -> [UInt8] { key("widget:", address.account, Array(address.slug.utf8)) }

    func entry(_ key: InboxKey) -> [UInt8] { self.key("inbox:", key.account, key.messageID) }

    /// A legal account has no `/`; in one that is not, it is written as `%2f`, so that the first one is the border.
    private func key(_ kind: StaticString, _ account: String, _ rest: [UInt8]) -> [UInt8] {
        let isPlain = account.utf8.allSatisfy { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "%") }
        let account = isPlain ? account : Self.escaped(account)
        var bytes: [UInt8] = []
        bytes.write(atMost: start.utf8.count + kind.utf8CodeUnitCount + account.utf8.count + 1 + rest.count) { out in
            out.put(text: start)
            out.put(kind)
            out.put(text: account)
            out.put(UInt8(ascii: "/"))
            out.put(rest)
        }
        return bytes
    }

    private static func escaped(_ text: String) -> String {
        String(
            decoding: text.utf8.flatMap { byte -> [UInt8] in
                switch byte {
                case UInt8(ascii: "/"): Array("%2f".utf8)
                case UInt8(ascii: "%"): Array("%25".utf8)
                default: [byte]
                }
            }, as: UTF8.self)
    }
}
