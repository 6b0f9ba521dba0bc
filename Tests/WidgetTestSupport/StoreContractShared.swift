public import Testing
import WidgetContract
public import WidgetWorker

/// A promise that every store keeps which several workers share.
public struct SharedStorePromise: Sendable, CustomTestStringConvertible {
    /// Makes the store of another worker over the same data, which is empty at first. Its workers consume the queues 0
    /// and 1, and stay for long after they were last heard of.
    public typealias MakeWorker = () throws -> any WidgetStore

    public let testDescription: String
    let body: @Sendable (MakeWorker) throws -> Void

    init(_ fact: String, _ body: @escaping @Sendable (MakeWorker) throws -> Void) {
        testDescription = fact
        self.body = body
    }

    /// Records an issue for what stores made so do not keep.
    public func check(_ makeWorker: MakeWorker) throws {
        try body(makeWorker)
    }
}

extension StoreContract {
    /// All that a shared store promises beside `promises`.
    public static let sharedPromises = comparisonPromises + takeOverPromises
}

extension WidgetStore {
    /// Commits a widget as the successor of a version.
    @discardableResult
    func put(_ widget: StoredWidget, inPlaceOf version: WidgetVersion?) throws -> Commit {
        var changes = StoreChanges(now: 0)
        changes.widgets = [widget]
        changes.replaced = [version]
        return try commit(changes)
    }
}

extension StoreContract {
    static let comparisonPromises = [
        SharedStorePromise("a commit over what another worker changed is refused as a whole") { makeWorker in
            let (first, second) = (try makeWorker(), try makeWorker())
            try first.put(.sample("pages", revision: 1), .sample("steps", revision: 1))
            try first.put(
                .sample("pages", revision: 2), inPlaceOf: WidgetVersion(revision: 1, pushedAt: nil))

            var late = StoreChanges(now: 0)
            late.widgets = [.sample("steps", revision: 2), .sample("pages", revision: 2, document: "{}")]
            late.replaced = [WidgetVersion(revision: 1, pushedAt: nil), WidgetVersion(revision: 1, pushedAt: nil)]
            late.inbox = [.sample("r-17")]
            late.recounted = [.sample("r-18")]
            late.outcomes = .sample("late")
            late.pending = [.sample("steps")]
            let lost = #expect(throws: LostComparison.self) { try second.commit(late) }
            #expect(lost?.addresses == [WidgetAddress(account: "acme", slug: "pages")])
            #expect(lost?.queues.isEmpty == true)
            #expect(try first.widget("pages") == .sample("pages", revision: 2))
            #expect(try first.widget("steps") == .sample("steps", revision: 1))
            #expect(try first.recall([.sample("r-17"), .sample("r-18")]) == [nil, nil])
            #expect(try first.unsettledOutcomes().isEmpty)
            #expect(try first.pendingPushes().isEmpty)

            late.replaced[1] = WidgetVersion(revision: 2, pushedAt: nil)
            late.widgets[1].revision = 3
            _ = try second.commit(late)
            #expect(try first.widget("pages")?.revision == 3)
            #expect(try first.entry("r-17") == .sample("r-17"))
        },
        SharedStorePromise("where a widget is wanted absent, one that is there refuses, a deleted one too") {
            makeWorker in
            let (first, second) = (try makeWorker(), try makeWorker())
            try first.put(.sample("pages", revision: 1, document: nil), inPlaceOf: nil)
            #expect(throws: LostComparison.self) { try second.put(.sample("pages", revision: 1), inPlaceOf: nil) }
            #expect(throws: LostComparison.self) {
                try second.put(.sample("never", revision: 2), inPlaceOf: WidgetVersion(revision: 1, pushedAt: nil))
            }
            #expect(try second.widget("pages")?.document == nil)
            #expect(try second.widget("never") == nil)
        },
        SharedStorePromise("a fan-out that another worker made is a change, though the revision stays") { makeWorker in
            let (first, second) = (try makeWorker(), try makeWorker())
            var pushed = StoredWidget.sample("pages", revision: 1)
            try first.put(pushed, inPlaceOf: nil)
            pushed.pushedAt = 5_000
            let before = WidgetVersion(revision: 1, pushedAt: nil)
            try first.put(pushed, inPlaceOf: before)
            pushed.pushedAt = 5_001
            #expect(throws: LostComparison.self) { try second.put(pushed, inPlaceOf: before) }
            try second.put(pushed, inPlaceOf: WidgetVersion(revision: 1, pushedAt: 5_000))
            #expect(try first.widget("pages")?.pushedAt == 5_001)
        },
        SharedStorePromise("an id is decided by one worker alone, and counted on by any") { makeWorker in
            let (first, second) = (try makeWorker(), try makeWorker())
            try first.put(.sample("r-17"), at: 0)
            #expect(throws: LostComparison.self) { try second.put(.sample("r-18"), .sample("r-17"), at: 0) }
            #expect(try first.entry("r-18") == nil)
            try second.putAgain(.sample("r-17", rejections: 3), at: 0)
            #expect(try first.entry("r-17")?.rejections == 3)
        },
        SharedStorePromise("an id whose window is over may be decided again") { makeWorker in
            let (first, second) = (try makeWorker(), try makeWorker())
            try first.put(.sample("r-17"), at: 0)
            // Beyond any window.
            try second.put(.sample("r-17", rejections: 1), at: 1 << 50)
            #expect(try second.entry("r-17")?.rejections == 1)
        },
        SharedStorePromise("a batch that names no versions compares none") { makeWorker in
            let (first, second) = (try makeWorker(), try makeWorker())
            try first.put(.sample("pages", revision: 5))
            try second.put(.sample("pages", revision: 2))
            #expect(try first.widget("pages")?.revision == 2)
        },
        SharedStorePromise("commits are numbered in one row for all workers") { makeWorker in
            let workers = [try makeWorker(), try makeWorker(), try makeWorker()]
            var last: Int64 = 0
            for step in 0..<12 {
                let number = try workers[step % 3].commit(StoreChanges(now: 0)).number
                #expect(number > last)
                last = number
            }
        },
        SharedStorePromise("what waits at an address comes with its widget") { makeWorker in
            let (first, second) = (try makeWorker(), try makeWorker())
            var changes = StoreChanges(now: 0)
            changes.widgets = [.sample("pages"), .sample("steps")]
            changes.pending = [.sample("steps")]
            _ = try first.commit(changes)
            var lookup = StoreLookup()
            lookup.addresses = changes.widgets.map(\.address)
            #expect(try second.find(lookup).pending == [nil, .sample("steps")])
        },
    ]
}
