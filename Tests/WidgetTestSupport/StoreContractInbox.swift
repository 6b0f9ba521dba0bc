import Testing
public import WidgetWorker

extension InboxKey {
    /// A key of account `acme` unless told otherwise.
    public static func sample(_ id: String, in account: String = "acme") -> InboxKey {
        InboxKey(account: account, messageID: Array(id.utf8))
    }
}

extension InboxEntry {
    /// An entry of account `acme` that accepted.
    public static func sample(_ id: String, rejections: Int = 0) -> InboxEntry {
        InboxEntry(
            key: .sample(id), fingerprint: .sample(UInt64(id.utf8.count)),
            outcome: .accepted(slug: "oncall-pages", revision: 7, updatedAt: 42, changed: 3, deleted: false),
            rejections: rejections)
    }
}

extension WidgetStore {
    /// Commits entries of the inbox and nothing else.
    @discardableResult
    public func put(_ entries: InboxEntry..., at now: Int64) throws -> Commit {
        var changes = StoreChanges(now: now)
        changes.inbox = entries
        return try commit(changes)
    }

    /// Commits entries whose count of rejections grew and nothing else.
    @discardableResult
    public func putAgain(_ entries: InboxEntry..., at now: Int64) throws -> Commit {
        var changes = StoreChanges(now: now)
        changes.recounted = entries
        return try commit(changes)
    }

    /// The entry under this id in account `acme`.
    public func entry(_ id: String) throws -> InboxEntry? {
        try recall([.sample(id)])[0]
    }
}

/// A clock that the test sets.
private final class SetClock {
    var now: Int64 = 0
}

extension StoreContract {
    static let inboxPromises = [
        StorePromise("an id that was never decided is not found") { makeStore in
            let store = try makeStore(StoreOptions())
            #expect(try store.entry("r-17") == nil)
            #expect(try store.recall([]).isEmpty)
        },
        StorePromise("an entry comes back as it was stored") { makeStore in
            let store = try makeStore(StoreOptions())
            let outcomes: [InboxEntry.Outcome] = [
                .accepted(slug: "oncall-pages", revision: 1, updatedAt: -1, changed: .max, deleted: false),
                .accepted(slug: "", revision: .max, updatedAt: .max, changed: 0, deleted: true),
                .rejected(problem: Array(#"{"status":422,"code":"widget.content_invalid"}"#.utf8)),
                .rejected(problem: []),
                .rejected(problem: [UInt8](repeating: 0x20, count: 50_000)),
            ]
            var changes = StoreChanges(now: 1000)
            changes.inbox = outcomes.enumerated().map { number, outcome in
                InboxEntry(
                    key: .sample("r-\(number)"), fingerprint: .sample(UInt64(number)), outcome: outcome,
                    rejections: number)
            }
            _ = try store.commit(changes)
            #expect(try store.recall(changes.inbox.map(\.key)) == changes.inbox)
        },
        StorePromise("entries come in the order of their keys, each as often as asked for") { makeStore in
            let store = try makeStore(StoreOptions())
            try store.put(.sample("a"), .sample("bb"), at: 0)
            let found = try store.recall([.sample("bb"), .sample("ccc"), .sample("a"), .sample("bb")])
            #expect(found == [.sample("bb"), nil, .sample("a"), .sample("bb")])
        },
        StorePromise("ids are bytes, and each account has its own") { makeStore in
            let store = try makeStore(StoreOptions())
            let keys = [
                InboxKey(account: "acme", messageID: []), InboxKey(account: "acme", messageID: [0]),
                InboxKey(account: "acme", messageID: [0, 0]), InboxKey(account: "acme", messageID: [0xFF, 0xFE]),
                .sample("caf\u{E9}"), .sample("cafe\u{301}"), .sample("bc", in: "a"), .sample("c", in: "ab"),
                .sample("r-17"), .sample("R-17"), .sample("r-17", in: "globex"), .sample("r-17", in: "caf\u{E9}"),
                .sample("r-17", in: "cafe\u{301}"),
            ]
            var changes = StoreChanges(now: 0)
            changes.inbox = keys.enumerated().map { number, key in
                InboxEntry(
                    key: key, fingerprint: .sample(UInt64(number)), outcome: .rejected(problem: [UInt8(number)]),
                    rejections: 1)
            }
            _ = try store.commit(changes)
            #expect(try store.recall(keys).map { $0?.fingerprint } == changes.inbox.map(\.fingerprint))
        },
        StorePromise("an entry lives for a window at least and half as long again at most") { makeStore in
            for start in [Int64(-101), -100, -1, 0, 1, 49, 50, 99, 250] {
                var options = StoreOptions()
                options.dedupeWindow = .milliseconds(100)
                let store = try makeStore(options)
                try store.put(.sample("r-17"), at: start)
                for now in stride(from: start, through: start + 200, by: 10) {
                    _ = try store.commit(StoreChanges(now: now))
                    let isFound = try store.entry("r-17") != nil
                    if now <= start + 100 { #expect(isFound, "at \(now), decided at \(start)") }
                    if now >= start + 150 { #expect(!isFound, "at \(now), decided at \(start)") }
                }
            }
        },
        StorePromise("a store with a clock forgets while nothing is committed") { makeStore in
            let clock = SetClock()
            var options = StoreOptions()
            options.dedupeWindow = .seconds(1)
            options.clock = { clock.now }
            let store = try makeStore(options)
            try store.put(.sample("r-17"), at: 0)
            clock.now = 1000
            #expect(try store.entry("r-17") != nil)
            clock.now = 1500
            #expect(try store.entry("r-17") == nil)
        },
        StorePromise("an entry written again takes the place of the old one and lives from then on") { makeStore in
            for later in [Int64(0), 40, 60, 110] {
                var options = StoreOptions()
                options.dedupeWindow = .milliseconds(100)
                let store = try makeStore(options)
                try store.put(.sample("r-17", rejections: 1), at: 10)
                try store.putAgain(.sample("r-17", rejections: 2), at: 10 + later)
                #expect(try store.entry("r-17")?.rejections == 2)
                _ = try store.commit(StoreChanges(now: 110 + later))
                #expect(try store.entry("r-17")?.rejections == 2)
                _ = try store.commit(StoreChanges(now: 160 + later))
                #expect(try store.entry("r-17") == nil)
            }
        },
        StorePromise("an entry written again counts though the clock went back") { makeStore in
            var options = StoreOptions()
            options.dedupeWindow = .milliseconds(100)
            let store = try makeStore(options)
            try store.put(.sample("r-17", rejections: 1), at: 1000)
            try store.putAgain(.sample("r-17", rejections: 2), at: 900)
            #expect(try store.entry("r-17")?.rejections == 2)
            _ = try store.commit(StoreChanges(now: 1000))
            #expect(try store.entry("r-17")?.rejections == 2)
        },
        StorePromise("ended entries are forgotten over many commits, living ones never") { makeStore in
            var options = StoreOptions()
            options.dedupeWindow = .milliseconds(100)
            let store = try makeStore(options)
            var crowd = StoreChanges(now: 0)
            crowd.inbox = (0..<2000).map { .sample("crowd-\($0)") }
            _ = try store.commit(crowd)
            for step in Int64(1)...60 {
                let now = step * 20
                try store.put(.sample("r-\(step)"), at: now)
                let living = (max(1, step - 5)...step).map { InboxKey.sample("r-\($0)") }
                #expect(try store.recall(living).allSatisfy { $0 != nil })
                if now >= 150 { #expect(try store.recall(crowd.inbox.map(\.key)).allSatisfy { $0 == nil }) }
            }
            #expect(try store.recall((1...50).map { .sample("r-\($0)") }).allSatisfy { $0 == nil })
        },
    ]
}
