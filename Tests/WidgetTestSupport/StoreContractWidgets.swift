import Testing
import WidgetContract
public import WidgetWorker

extension StoredWidget {
    /// A widget of account `acme` unless told otherwise.
    public static func sample(
        _ slug: String = "oncall-pages", in account: String = "acme", revision: Int64 = 1,
        document: String? = #"{"name":"On-call pages","content":{"template":"progress","value":0.6}}"#
    ) -> StoredWidget {
        StoredWidget(
            address: WidgetAddress(account: account, slug: slug), revision: revision, sequence: nil,
            createdAt: 1_790_000_000_000, updatedAt: 1_790_000_000_000 + revision,
            document: document.map { Array($0.utf8) })
    }
}

extension WidgetStore {
    /// Commits widgets and nothing else.
    @discardableResult
    public func put(_ widgets: StoredWidget...) throws -> Commit {
        var changes = StoreChanges(now: 1_790_000_000_000)
        changes.widgets = widgets
        return try commit(changes)
    }

    /// The widget with this slug in account `acme` unless told otherwise.
    public func widget(_ slug: String, in account: String = "acme") throws -> StoredWidget? {
        try load([WidgetAddress(account: account, slug: slug)])[0]
    }
}

extension StoreContract {
    static let widgetPromises = [
        StorePromise("an address that never was has no widget") { makeStore in
            let store = try makeStore(StoreOptions())
            #expect(try store.widget("oncall-pages") == nil)
            #expect(try store.load([]).isEmpty)
            #expect(try store.liveWidgets(in: "acme") == 0)
        },
        StorePromise("a widget comes back as it was stored") { makeStore in
            let store = try makeStore(StoreOptions())
            var plain = StoredWidget.sample("plain")
            plain.sequence = nil
            var extreme = StoredWidget.sample("extreme")
            extreme.revision = .max
            extreme.sequence = .min
            extreme.createdAt = -62_167_219_200_000
            extreme.updatedAt = 253_402_300_799_999
            let empty = StoredWidget.sample("empty", document: "")
            let zero = StoredWidget.sample("zero", document: "{\"name\":\"a\0b\"}")
            let large = StoredWidget.sample("large", document: String(repeating: "é", count: 100_000))
            try store.put(plain, extreme, empty, zero, large)
            for widget in [plain, extreme, empty, zero, large] {
                #expect(try store.widget(widget.address.slug) == widget)
            }
        },
        StorePromise("widgets come in the order of their addresses, each as often as asked for") { makeStore in
            let store = try makeStore(StoreOptions())
            let (first, second) = (StoredWidget.sample("a"), StoredWidget.sample("b"))
            try store.put(first, second)
            let nowhere = WidgetAddress(account: "acme", slug: "c")
            let loaded = try store.load([second.address, nowhere, first.address, second.address])
            #expect(loaded == [second, nil, first, second])
        },
        StorePromise("the last state replaces the one before") { makeStore in
            let store = try makeStore(StoreOptions())
            try store.put(.sample(revision: 1))
            var next = StoredWidget.sample(revision: 2, document: "{}")
            next.sequence = 7
            try store.put(next)
            #expect(try store.widget("oncall-pages") == next)
            next.sequence = nil
            next.document = Array(String(repeating: "x", count: 5000).utf8)
            try store.put(next)
            #expect(try store.widget("oncall-pages") == next)
        },
        StorePromise("a deleted widget keeps its revision and sequence, without a document") { makeStore in
            let store = try makeStore(StoreOptions())
            try store.put(.sample(revision: 1))
            var deleted = StoredWidget.sample(revision: 2, document: nil)
            deleted.sequence = 9
            try store.put(deleted)
            #expect(try store.widget("oncall-pages") == deleted)
            let again = StoredWidget.sample(revision: 3)
            try store.put(again)
            #expect(try store.widget("oncall-pages") == again)
        },
        StorePromise("accounts and slugs are told apart by their bytes") { makeStore in
            let store = try makeStore(StoreOptions())
            let widgets = [
                StoredWidget.sample("caf\u{E9}", document: "1"), .sample("cafe\u{301}", document: "2"),
                .sample("bc", in: "a", document: "3"), .sample("c", in: "ab", document: "4"),
                .sample("A", document: "5"), .sample("a", document: "6"), .sample("", document: "7"),
                .sample("a\0b", document: "8"), .sample("s", in: "caf\u{E9}", document: "9"),
                .sample("s", in: "cafe\u{301}", document: "10"),
            ]
            var changes = StoreChanges(now: 0)
            changes.widgets = widgets
            _ = try store.commit(changes)
            for (widget, loaded) in zip(widgets, try store.load(widgets.map(\.address))) {
                #expect(loaded?.document == widget.document)
            }
            #expect(try store.liveWidgets(in: "caf\u{E9}") == 1)
            #expect(try store.liveWidgets(in: "cafe\u{301}") == 1)
        },
        StorePromise("an account's live widgets are counted through creations, updates and deletions") { makeStore in
            let store = try makeStore(StoreOptions())
            try store.put(.sample("a"), .sample("b"), .sample("c"), .sample("a", in: "other"))
            #expect(try store.liveWidgets(in: "acme") == 3)
            try store.put(.sample("a", revision: 2), .sample("b", revision: 2, document: nil))
            #expect(try store.liveWidgets(in: "acme") == 2)
            try store.put(.sample("b", revision: 3, document: nil), .sample("never", document: nil))
            #expect(try store.liveWidgets(in: "acme") == 2)
            try store.put(.sample("b", revision: 4), .sample("never", revision: 2))
            #expect(try store.liveWidgets(in: "acme") == 4)
            #expect(try store.liveWidgets(in: "other") == 1)
            #expect(try store.liveWidgets(in: "nobody") == 0)
        },
        StorePromise("a commit of thousands of widgets is kept whole") { makeStore in
            let store = try makeStore(StoreOptions())
            for revision in Int64(1)...2 {
                var changes = StoreChanges(now: 0)
                changes.widgets = (0..<3000).map { .sample("widget-\($0)", revision: revision) }
                _ = try store.commit(changes)
                #expect(try store.load(changes.widgets.map(\.address)) == changes.widgets)
            }
            #expect(try store.liveWidgets(in: "acme") == 3000)
        },
    ]
}
