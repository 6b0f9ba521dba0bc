import Foundation
import Testing
import WidgetContract
import WidgetSQLite
import WidgetTestSupport
import WidgetWorker

@Suite struct ReaderTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func widget(_ slug: String, in account: String = "acme", document: String? = "{}") -> StoredWidget {
        StoredWidget(
            address: WidgetAddress(account: account, slug: slug), revision: 3, sequence: 9, createdAt: 1, updatedAt: 2,
            document: document.map { Array($0.utf8) })
    }

    @Test("a reader beside the worker sees each commit, and leaves the worker's lock alone")
    func besideTheWorker() throws {
        let store = try SQLiteStore(path: folder.file())
        let reader = try SQLiteReader(path: folder.file())
        #expect(try reader.widget(at: widget("a").address) == nil)
        for revision in 1...3 as ClosedRange<Int64> {
            var stored = widget("a")
            stored.revision = revision
            try store.put(stored)
            #expect(try reader.widget(at: stored.address)?.widget == stored)
        }
        try store.close()
        // The worker's end folds its log; the reader goes on.
        #expect(try reader.widget(at: widget("a").address)?.widget.revision == 3)
        let next = try SQLiteStore(path: folder.file())
        try next.put(widget("b"))
        #expect(try reader.widgets(after: nil, limit: 10).map(\.widget.address.slug) == ["a", "b"])
    }

    @Test("pages follow one another in the order of account and slug, without deleted widgets")
    func pages() throws {
        let store = try SQLiteStore(path: folder.file())
        for stored in [
            widget("b"), widget("a"), widget("z", in: "aa"), widget("c", document: nil), widget("d"),
            widget("a", in: "zeta"),
        ] { try store.put(stored) }
        let reader = try SQLiteReader(path: folder.file())
        var seen: [String] = []
        var last: WidgetAddress?
        while case let page = try reader.widgets(after: last, limit: 2), !page.isEmpty {
            seen += page.map { "\($0.widget.address.account)/\($0.widget.address.slug)" }
            last = page.last?.widget.address
        }
        #expect(seen == ["aa/z", "acme/a", "acme/b", "acme/d", "zeta/a"])
        #expect(try reader.widget(at: widget("c").address)?.widget.document == nil)
        #expect(try reader.widget(at: widget("c").address)?.widget.revision == 3)
    }

    @Test("a missing file is named and not made, an empty one holds nothing")
    func missing() throws {
        let error = #expect(throws: StoreError.self) { try SQLiteReader(path: folder.file()) }
        #expect(error?.description.contains(folder.file()) == true)
        #expect(!FileManager.default.fileExists(atPath: folder.file()))
        #expect(FileManager.default.createFile(atPath: folder.file(), contents: nil))
        let reader = try SQLiteReader(path: folder.file())
        #expect(try reader.widget(at: widget("a").address) == nil)
        #expect(try reader.widgets(after: nil, limit: 1).isEmpty)
    }

    @Test("a look at where a store may be makes nothing")
    func inspection() throws {
        let missing = try StoreInspection(path: folder.file())
        #expect(!missing.exists && missing.freeBytes > 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        try SQLiteStore(path: folder.file()).close()
        #expect(try StoreInspection(path: folder.file()).exists)
        #expect(throws: StoreError.self) { try StoreInspection(path: folder.file("none/w.db")) }
    }
}
