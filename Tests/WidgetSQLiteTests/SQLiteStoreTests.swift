import Testing
import WidgetSQLite
import WidgetTestSupport
import WidgetWorker

@Suite struct SQLiteStoreTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: StoreContract.promises)
    func keeps(_ promise: StorePromise) throws {
        var stores = 0
        try promise.check { options in
            stores += 1
            return try SQLiteStore(
                path: folder.file("\(stores).db"), dedupeWindow: options.dedupeWindow, clock: options.clock)
        }
    }

    @Test func aStoreOpenedAgainHasEverything() throws {
        var store = try SQLiteStore(path: folder.file())
        let number = try store.commit(everything()).number
        try store.close()
        store = try SQLiteStore(path: folder.file())
        try expectEverything(in: store, under: number)
    }

    @Test func aKilledStoreHasEverythingThatWasCommitted() throws {
        let store = try SQLiteStore(path: folder.file())
        let number = try store.commit(everything()).number
        // In the middle of the next commit.
        try store.connection?.execute("BEGIN IMMEDIATE; DELETE FROM recent_states; DELETE FROM outbox", during: "test")
        try folder.copyDatabase(to: "killed.db")
        try expectEverything(in: try SQLiteStore(path: folder.file("killed.db")), under: number)
    }

    @Test func aLogCutShortLosesNoEarlierCommit() throws {
        let store = try SQLiteStore(path: folder.file())
        let number = try store.commit(everything()).number
        let length = try Files.length(of: folder.file() + "-wal")
        try store.put(.sample("oncall-pages", revision: 9))
        try folder.copyDatabase(to: "cut.db")
        try Files.cut(folder.file("cut.db-wal"), to: length + 1000)
        try expectEverything(in: try SQLiteStore(path: folder.file("cut.db")), under: number)
    }

    @Test func commitNumbersGoOnRisingAfterReopening() throws {
        var last: Int64 = 0
        for _ in 0..<4 {
            let store = try SQLiteStore(path: folder.file())
            for _ in 0..<3 {
                let number = try store.commit(StoreChanges(now: 0)).number
                #expect(number > last)
                last = number
            }
            try store.close()
        }
    }

    @Test func unsettledOutcomesComeBackInOrderAfterReopening() throws {
        var store = try SQLiteStore(path: folder.file())
        var numbers: [Int64] = []
        for step in 0..<30 {
            var changes = StoreChanges(now: 0)
            changes.outcomes = .sample("outcome \(step)")
            numbers.append(try store.commit(changes).number)
        }
        var settling = StoreChanges(now: 0)
        settling.settled = Array(numbers[..<10])
        _ = try store.commit(settling)
        try store.close()
        store = try SQLiteStore(path: folder.file())
        let unsettled = try store.unsettledOutcomes()
        #expect(unsettled.map(\.number) == Array(numbers[10...]))
        #expect(unsettled.map(\.outcomes) == (10..<30).map { .sample("outcome \($0)") })
    }

    @Test func idsKeepTheLifeTheyWereGivenWhenTheWindowChanges() throws {
        for (first, second) in [(Duration.seconds(100), Duration.seconds(1)), (.seconds(1), .seconds(100))] {
            let file = folder.file("\(first.components.seconds).db")
            var store = try SQLiteStore(path: file, dedupeWindow: first)
            try store.put(.sample("before"), at: 500_000)
            try store.close()
            store = try SQLiteStore(path: file, dedupeWindow: second)
            #expect(try store.entry("before") != nil)
            try store.put(.sample("after"), at: 500_500)
            #expect(try store.entry("before") != nil)
            _ = try store.commit(StoreChanges(now: 501_400))
            #expect(try store.entry("before") != nil || first == .seconds(1))
            #expect(try store.entry("after") != nil)
            try store.put(.sample("before", rejections: 5), at: 501_400)
            #expect(try store.entry("before")?.rejections == 5)
        }
    }

    @Test func aClosedStoreSaysSo() throws {
        let store = try SQLiteStore(path: folder.file())
        try store.close()
        try store.close()
        let error = #expect(throws: StoreError.self) { try store.commit(StoreChanges(now: 0)) }
        #expect(error?.description.contains("is closed") == true)
    }

    @Test func anybodyCanReadWhatAnIdleWorkerHas() throws {
        let store = try SQLiteStore(path: folder.file())
        try store.put(.sample("a"))
        try store.workAtLeisure()
        let reader = try Connection(path: folder.file(), access: .readOnly, busyTimeout: .zero)
        try reader.execute("BEGIN", during: "test")
        let count = "SELECT count(*) FROM widgets WHERE document IS NOT NULL"
        #expect(try reader.integer(count, during: "test") == 1)
        try store.put(.sample("b"))
        // What is settled goes the same way.
        _ = try store.commit(StoreChanges(now: 0))
        #expect(!store.hasPutOffWork)
        #expect(try reader.integer(count, during: "test") == 1)
        try reader.execute("COMMIT", during: "test")
        #expect(try reader.integer(count, during: "test") == 2)
        let name = "SELECT document ->> '$.name' FROM widgets WHERE account = 'acme' AND slug = 'b'"
        #expect(try reader.text(name, during: "test") == "On-call pages")
    }

    private func everything() -> StoreChanges {
        var changes = StoreChanges(now: 1_790_000_000_000)
        changes.widgets = [.sample("oncall-pages", revision: 3), .sample("gone", document: nil)]
        changes.inbox = [.sample("r-17", rejections: 2)]
        changes.outcomes = .sample("one", "two")
        changes.deliveries = [.sample(1), .sample(2)]
        return changes
    }

    private func expectEverything(in store: SQLiteStore, under number: Int64) throws {
        #expect(try store.widget("oncall-pages") == .sample("oncall-pages", revision: 3))
        #expect(try store.widget("gone") == .sample("gone", document: nil))
        #expect(try store.liveWidgets(in: "acme") == 1)
        #expect(try store.entry("r-17") == .sample("r-17", rejections: 2))
        #expect(try store.unsettledOutcomes().map(\.number) == [number])
        #expect(try store.unsettledOutcomes().map(\.outcomes) == [.sample("one", "two")])
        #expect(try store.rememberedDeliveries() == [.sample(1), .sample(2)])
        #expect(try store.commit(StoreChanges(now: 0)).number > number)
    }
}
