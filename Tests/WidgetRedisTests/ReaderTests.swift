import Testing
import WidgetContract
import WidgetRedis
import WidgetTestSupport
import WidgetWorker

@Suite(WithRedisServer()) struct ReaderTests {
    @Test("widgets come page by page, in the order of account and slug, without those that are deleted")
    func pages() throws {
        let prefix = "pages"
        let server = try RedisServer.shared()
        let store = try server.store(prefix: prefix)
        let reader = RedisReader(address: try RedisAddress(server.url(prefix: prefix)))
        #expect(try reader.widgets(after: nil, limit: 10).isEmpty)
        // A slug that begins another, and an account that does.
        let names = [("a", "x"), ("a", "x-y"), ("a", "x1"), ("a-b", "a"), ("b", "a"), ("b", "b"), ("c", "z")]
        for (account, slug) in names.shuffled() { try store.put(.sample(slug, in: account)) }
        try store.put(.sample("b", in: "b", revision: 2, document: nil), .sample("gone", in: "a", document: nil))
        var found: [WidgetAddress] = []
        while case let page = try reader.widgets(after: found.last, limit: 2), !page.isEmpty {
            found += page.map(\.widget.address)
        }
        #expect(found == names.filter { $0 != ("b", "b") }.map { WidgetAddress(account: $0.0, slug: $0.1) })
        #expect(
            try reader.widgets(after: WidgetAddress(account: "b", slug: ""), limit: 1)[0].widget.address.slug == "a")
        #expect(try reader.widgets(after: nil, limit: 100).count == names.count - 1)
    }

    @Test("a widget comes with the fan-out that waits for it, a deleted one without its document")
    func one() throws {
        let server = try RedisServer.shared()
        let store = try server.store(prefix: "one")
        let reader = RedisReader(address: try RedisAddress(server.url(prefix: "one")))
        var changes = StoreChanges(now: 0)
        changes.widgets = [.sample("pages"), .sample("gone", document: nil)]
        changes.pending = [.sample("pages")]
        _ = try store.commit(changes)
        let pages = try #require(try reader.widget(at: WidgetAddress(account: "acme", slug: "pages")))
        #expect(pages.widget == .sample("pages"))
        #expect(pages.pending == WidgetSnapshot.Pending(dueAt: 15_000, changed: .init(rawValue: 5), updates: 3))
        let gone = try #require(try reader.widget(at: WidgetAddress(account: "acme", slug: "gone")))
        #expect(gone == WidgetSnapshot(widget: .sample("gone", document: nil), pending: nil))
        #expect(try reader.widget(at: WidgetAddress(account: "acme", slug: "never")) == nil)
    }

    @Test("an inspection tells the server, what it keeps and how fast it is, and leaves nothing behind")
    func inspection() throws {
        let server = try RedisServer(["--appendonly", "yes", "--appendfsync", "everysec"])
        let found = try RedisInspection(address: RedisAddress(server.url()))
        #expect(found.endpoint.port == server.port)
        #expect(found.durability.contains("every second"))
        #expect(found.evictionPolicy == nil)
        #expect(found.certificateDays == nil)
        #expect(found.microseconds > 0)
        #expect(try server.command("DBSIZE") == "0")
        try server.command("CONFIG", "SET", "maxmemory", "100mb")
        try server.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
        #expect(try RedisInspection(address: RedisAddress(server.url())).evictionPolicy == "allkeys-lru")
    }
}
