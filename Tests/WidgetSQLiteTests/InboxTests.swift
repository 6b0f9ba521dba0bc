import Testing
import WidgetTestSupport
import WidgetWorker

@testable import WidgetSQLite

/// The inbox over the life of a file.
@Suite struct InboxTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("a file of version 2 keeps its ids, each with the life it had")
    func version2() throws {
        let old = try Connection(path: folder.file(), access: .readWrite, busyTimeout: .zero)
        try old.execute(
            """
            \(Migrations.steps[0])
            \(Migrations.steps[1])
            PRAGMA application_id = \(Migrations.applicationID);
            PRAGMA user_version = 2;
            INSERT INTO inbox
                SELECT 2000, CAST('r-' || value AS BLOB), 'acme', randomblob(16), 0, 'pages', value, 5, 3, 0, NULL
                FROM \(Self.series(2500));
            INSERT INTO inbox
                VALUES (3000, CAST('r-7' AS BLOB), 'acme', zeroblob(16), 4, NULL, NULL, NULL, NULL, NULL, '{}');
            """, during: "test")
        let store = try SQLiteStore(path: folder.file(), clock: { 1000 })
        for number in [1, 2, 1000, 1001, 2500] {
            #expect(
                try store.entry("r-\(number)")?.outcome
                    == .accepted(slug: "pages", revision: Int64(number), updatedAt: 5, changed: 3, deleted: false))
        }
        #expect(
            try store.entry("r-7")
                == InboxEntry(
                    key: .sample("r-7"), fingerprint: Fingerprint(high: 0, low: 0),
                    outcome: .rejected(problem: Array("{}".utf8)), rejections: 4))
        #expect(try store.entry("r-2501") == nil)
        try store.close()
        let later = try SQLiteStore(path: folder.file(), clock: { 2500 })
        #expect(try later.entry("r-1") == nil)
        #expect(try later.entry("r-7") != nil)
    }

    @Test("ids are found after the file is opened again, and are those of their own file alone")
    func reopening() throws {
        for round in 0..<3 {
            let store = try SQLiteStore(path: folder.file(), clock: { 0 })
            for earlier in 0..<round * 500 { #expect(try store.entry("r-\(earlier)") == Self.entry(earlier)) }
            for commit in 0..<5 {
                var changes = StoreChanges(now: 0)
                changes.inbox = (0..<100).map { Self.entry(round * 500 + commit * 100 + $0) }
                _ = try store.commit(changes)
            }
            #expect(try store.entry("r-\(round * 500 + 500)") == nil)
            try store.close()
        }
        #expect(try SQLiteStore(path: folder.file("other.db"), clock: { 0 }).entry("r-1") == nil)
    }

    @Test("an id that is written over and over is one id")
    func oneID() throws {
        let store = try SQLiteStore(path: folder.file(), clock: { 0 })
        for rejections in 1...300 { try store.put(.sample("1", rejections: rejections), at: 0) }
        #expect(try store.entry("1")?.rejections == 300)
        try store.close()
        #expect(try SQLiteStore(path: folder.file(), clock: { 0 }).entry("1")?.rejections == 300)
    }

    @Test("rows of ended ids leave the file over a few commits, each with a bounded number of entries")
    func expiry() throws {
        let store = try SQLiteStore(path: folder.file(), dedupeWindow: .milliseconds(100))
        for commit in 0..<40 {
            var changes = StoreChanges(now: 0)
            changes.inbox = (0..<50).map { .sample("r-\(commit)-\($0)") }
            _ = try store.commit(changes)
        }
        var rows = try count(store)
        #expect(rows == 40)
        for step in 1...14 {
            _ = try store.commit(StoreChanges(now: 1000))
            let left = try count(store)
            // Rows of 50 entries until 128 are reached.
            #expect(left == max(0, rows - 3), "after \(step) commits")
            rows = left
        }
        #expect(rows == 0)
    }

    private func count(_ store: SQLiteStore) throws -> Int64 {
        try #require(try store.connection?.integer("SELECT count(*) FROM inbox_rows", during: "test"))
    }

    private static func entry(_ number: Int) -> InboxEntry {
        InboxEntry(
            key: .sample("r-\(number)"), fingerprint: .sample(UInt64(number)),
            outcome: .accepted(
                slug: "widget-\(number)", revision: Int64(number), updatedAt: 1, changed: 2, deleted: number % 2 == 0),
            rejections: 0)
    }

    /// Numbers from 1, without the extension that has `generate_series`.
    private static func series(_ count: Int) -> String {
        "(WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < \(count)) SELECT * FROM n)"
    }
}
