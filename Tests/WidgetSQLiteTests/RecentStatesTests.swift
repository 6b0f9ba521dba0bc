import Testing
import WidgetContract
import WidgetSQLite
import WidgetTestSupport
import WidgetWorker

/// The log of states over the life of a file.
@Suite struct RecentStatesTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("states, deletions and counts are the newest at every commit: in the store, beside it, killed and stopped")
    func newest() throws {
        var random = SeededRandom(seed: 7)
        var model: [String: StoredWidget] = [:]
        var store = try SQLiteStore(path: folder.file(), recentBytes: 6000)
        let reader = try SQLiteReader(path: folder.file())
        for commit in 1...300 {
            var changes = StoreChanges(now: 0)
            for number in Set(
                (0..<Int.random(in: 1...12, using: &random)).map { _ in random.below(80) })
            {
                let slug = "w-\(number)"
                var widget = StoredWidget.sample(slug, revision: (model[slug]?.revision ?? 0) + 1)
                widget.sequence = random.oneIn(2) ? Int64(commit) : nil
                widget.pushedAt = random.oneIn(2) ? Int64(commit) : nil
                if random.oneIn(4) { widget.document = nil }
                model[slug] = widget
                changes.widgets.append(widget)
            }
            _ = try store.commit(changes)
            try expect(model, in: store)
            guard commit % 10 == 0 else { continue }
            try expect(model, by: reader)
            try folder.copyDatabase(to: "killed-\(commit).db")
            try expect(model, in: try SQLiteStore(path: folder.file("killed-\(commit).db"), recentBytes: 6000))
            guard commit % 100 == 0 else { continue }
            try store.close()
            let stopped = try Connection(path: folder.file(), access: .readOnly, busyTimeout: .zero)
            for widget in model.values {
                let revision = "SELECT revision FROM widgets WHERE slug = '\(widget.address.slug)'"
                #expect(try stopped.integer(revision, during: "test") == widget.revision)
            }
            #expect(try stopped.integer("SELECT count(*) FROM recent_states", during: "test") == 0)
            store = try SQLiteStore(path: folder.file(), recentBytes: 6000)
        }
    }

    private func expect(_ model: [String: StoredWidget], in store: SQLiteStore) throws {
        let expected = model.values.sorted { $0.address.slug < $1.address.slug }
        #expect(try store.load(expected.map(\.address)) == expected)
        #expect(try store.liveWidgets(in: "acme") == expected.count { $0.document != nil })
    }

    private func expect(_ model: [String: StoredWidget], by reader: SQLiteReader) throws {
        for widget in model.values { #expect(try reader.widget(at: widget.address)?.widget == widget) }
        let live = model.values.filter { $0.document != nil }.sorted { $0.address.slug < $1.address.slug }
        var listed: [StoredWidget] = []
        while case let page = try reader.widgets(after: listed.last?.address, limit: 7), !page.isEmpty {
            listed += page.map(\.widget)
        }
        #expect(listed == live)
    }

    @Test("the log stays within twice its bound, however few or many widgets the updates are of", arguments: [3, 5000])
    func bounded(widgets: Int) throws {
        let bound: Int64 = 50_000
        let store = try SQLiteStore(path: folder.file(), recentBytes: Int(bound))
        var random = SeededRandom(seed: 3)
        var longest: Int64 = 0
        for commit in 1...400 as ClosedRange<Int64> {
            var changes = StoreChanges(now: 0)
            changes.widgets = Set((0..<30).map { _ in random.below(widgets) })
                .map { .sample("w-\($0)", revision: commit) }
            _ = try store.commit(changes)
            let length = "SELECT sum(length(states)) FROM recent_states"
            longest = max(longest, try store.connection?.integer(length, during: "test") ?? 0)
        }
        #expect(longest > bound / 2 || widgets == 3)
        #expect(longest <= 2 * bound)
    }

    @Test("rows that somebody numbers anew with VACUUM are found all the same")
    func vacuumed() throws {
        let store = try SQLiteStore(path: folder.file())
        let other = try Connection(path: folder.file(), access: .readWrite, busyTimeout: .zero)
        try store.put(.sample("a"), .sample("b"), .sample("c"))
        try store.workAtLeisure()
        try other.execute("DELETE FROM widgets WHERE slug = 'a'", during: "test")
        try store.put(.sample("b", revision: 2))
        try store.put(.sample("c", revision: 3))
        try other.execute("VACUUM", during: "test")
        try store.workAtLeisure()
        let revisions = "SELECT group_concat(slug || revision) FROM (SELECT * FROM widgets ORDER BY slug)"
        #expect(try other.text(revisions, during: "test") == "b2,c3")
    }

    @Test("a look that fails half way takes nothing from the next one")
    func failedLook() throws {
        let store = try SQLiteStore(path: folder.file())
        try store.put(.sample("a"))
        try store.put(.sample("a", revision: 2))
        let reader = try SQLiteReader(path: folder.file())
        let other = try Connection(path: folder.file(), access: .readWrite, busyTimeout: .zero)
        try other.execute("INSERT INTO recent_states VALUES (1000, x'00')", during: "test")
        let address = WidgetAddress(account: "acme", slug: "a")
        #expect(throws: StoreError.self) { try reader.widget(at: address) }
        try other.execute("DELETE FROM recent_states WHERE number = 1000", during: "test")
        #expect(try reader.widget(at: address)?.widget.revision == 2)
    }

    @Test("an export tells the newest states")
    func exported() throws {
        let store = try SQLiteStore(path: folder.file())
        try store.put(.sample("a"), .sample("b"))
        try store.put(.sample("a", revision: 2), .sample("b", revision: 2, document: nil))
        var visited: [StoredWidget] = []
        try store.visitWidgets(page: 1) { visited += $0 }
        #expect(visited == [.sample("a", revision: 2), .sample("b", revision: 2, document: nil)])
    }
}
