import Foundation
import Testing
import WidgetSQLite
import WidgetTestSupport
import WidgetWorker

/// The store while its surroundings fail, and afterwards.
@Suite struct FaultTests {
    let folder: TemporaryFolder
    let store: SQLiteStore

    init() throws {
        folder = try TemporaryFolder()
        store = try SQLiteStore(path: folder.file(), busyTimeout: .zero)
    }

    @Test(.row(34)) func aLockOfAnotherConnectionIsTransientAndThenTheCommitWorks() throws {
        let other = try Connection(path: folder.file(), access: .readWrite, busyTimeout: .zero)
        try store.put(.sample(revision: 1))
        try other.execute("BEGIN IMMEDIATE", during: "test")
        for _ in 0..<3 {
            let error = try fault { try store.put(.sample(revision: 2)) }
            #expect(error.isTransient)
            #expect(error.description.contains("database is locked"))
            #expect(try store.widget("oncall-pages")?.revision == 1)
        }
        try other.execute("ROLLBACK", during: "test")
        try store.put(.sample(revision: 2))
        #expect(try store.widget("oncall-pages")?.revision == 2)
    }

    @Test(.row(34)) func aReaderIsInNobodysWay() throws {
        let other = try Connection(path: folder.file(), access: .readOnly, busyTimeout: .zero)
        try other.execute("BEGIN", during: "test")
        _ = try other.integer("SELECT count(*) FROM widgets", during: "test")
        for revision in Int64(1)...200 { try store.put(.sample(revision: revision)) }
        #expect(try store.widget("oncall-pages")?.revision == 200)
    }

    @Test(.row(34)) func aFullDiskIsTransientLosesNothingAndThenTheCommitWorks() throws {
        let number = try store.commit(crowd(1, of: 50)).number
        let pages = try #require(try store.connection?.integer("PRAGMA page_count", during: "test"))
        try store.connection?.execute("PRAGMA max_page_count = \(pages)", during: "test")
        for _ in 0..<3 {
            let error = try fault { _ = try store.commit(crowd(2, of: 500)) }
            #expect(error.isTransient)
            #expect(error.description.contains("database or disk is full"))
            try expectCrowd(1, of: 50)
            #expect(try store.unsettledOutcomes().map(\.number) == [number])
        }
        // What needs no more room goes on.
        try store.put(.sample("widget-0", revision: 1))
        try store.connection?.execute("PRAGMA max_page_count = 1000000", during: "test")
        let next = try store.commit(crowd(2, of: 500)).number
        #expect(next > number)
        try expectCrowd(2, of: 500)
        #expect(try store.unsettledOutcomes().map(\.number) == [number, next])
    }

    @Test func idsOfAFailedCommitAreNotKnown() throws {
        try store.put(.sample("before"), at: 0)
        try store.connection?.execute(
            "CREATE TRIGGER refuse BEFORE INSERT ON deliveries BEGIN SELECT raise(ABORT, 'refused'); END",
            during: "test")
        var changes = StoreChanges(now: 1_000_000_000)
        changes.inbox = [.sample("within")]
        changes.deliveries = [.sample(1)]
        #expect(try fault { _ = try store.commit(changes) }.isTransient == false)
        #expect(try store.entry("within") == nil)
        #expect(try store.entry("before") != nil)
        try store.connection?.execute("DROP TRIGGER refuse", during: "test")
        _ = try store.commit(changes)
        #expect(try store.entry("within") != nil)
        #expect(try store.entry("before") == nil)
    }

    @Test func aDamagedFileIsNotTransient() throws {
        _ = try store.commit(crowd(1, of: 2000))
        try store.close()
        let length = try Files.length(of: folder.file())
        for page in stride(from: UInt64(4096 * 10), to: length, by: 4096) {
            try Files.overwrite(folder.file(), from: page, with: [UInt8](repeating: 0xEE, count: 64))
        }
        let error = try fault { _ = try SQLiteStore(path: folder.file()).commit(crowd(2, of: 2000)) }
        #expect(!error.isTransient)
        #expect(error.description.contains("malformed"))
        #expect(error.description.contains(".recover"))
    }

    @Test func aFileTakenAwayIsNoticed() throws {
        try store.put(.sample(revision: 1))
        try FileManager.default.moveItem(atPath: folder.file(), toPath: folder.file("elsewhere.db"))
        let error = try fault { try store.put(.sample(revision: 2)) }
        #expect(!error.isTransient)
        try FileManager.default.moveItem(atPath: folder.file("elsewhere.db"), toPath: folder.file())
        try store.put(.sample(revision: 2))
    }

    private func fault(_ body: () throws -> Void) throws -> StoreError {
        try #require(#expect(throws: StoreError.self) { try body() })
    }

    private func crowd(_ revision: Int64, of count: Int) -> StoreChanges {
        var changes = StoreChanges(now: revision)
        changes.widgets = (0..<count).map { .sample("widget-\($0)", revision: revision) }
        changes.inbox = (0..<count).map { .sample("r-\(revision)-\($0)") }
        changes.outcomes = .sample("outcome \(revision)")
        changes.deliveries = [.sample(UInt64(revision))]
        return changes
    }

    private func expectCrowd(_ revision: Int64, of count: Int) throws {
        let changes = crowd(revision, of: count)
        #expect(try store.load(changes.widgets.map(\.address)) == changes.widgets)
        #expect(try store.liveWidgets(in: "acme") == count)
        #expect(try store.recall(changes.inbox.map(\.key)) == changes.inbox)
    }
}
