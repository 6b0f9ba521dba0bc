import Testing
import WidgetContract
public import WidgetWorker

extension StoreContract {
    static let pendingPromises = [
        StorePromise("a pending fan-out comes back as it was stored") { makeStore in
            let store = try makeStore(StoreOptions())
            #expect(try store.pendingPushes().isEmpty)
            var plain = PendingPush.sample("plain")
            plain.traceparent = nil
            plain.tracestate = nil
            plain.minAppVersion = nil
            plain.changed = ChangedMembers(rawValue: .max)
            var changes = StoreChanges(now: 0)
            changes.pending = [.sample("full"), plain]
            _ = try store.commit(changes)
            #expect(try store.pendingBySlug() == [.sample("full"), plain])
        },
        StorePromise("a later pending fan-out of a widget takes the place of the earlier one") { makeStore in
            let store = try makeStore(StoreOptions())
            var first = StoreChanges(now: 0)
            first.pending = [.sample("pages"), .sample("pages", account: "other")]
            _ = try store.commit(first)
            var second = StoreChanges(now: 0)
            var later = PendingPush.sample("pages")
            later.dueAt += 1
            later.updates = 9
            second.pending = [later]
            _ = try store.commit(second)
            #expect(try store.pendingBySlug() == [later, .sample("pages", account: "other")])
        },
        StorePromise("a fan-out that no longer waits is gone, and the others stay") { makeStore in
            let store = try makeStore(StoreOptions())
            var first = StoreChanges(now: 0)
            first.pending = [.sample("a"), .sample("b"), .sample("c")]
            _ = try store.commit(first)
            var second = StoreChanges(now: 0)
            second.noLongerPending = ["b", "never"].map { WidgetAddress(account: "acme", slug: $0) }
            _ = try store.commit(second)
            #expect(try store.pendingBySlug() == [.sample("a"), .sample("c")])
        },
        StorePromise("a widget keeps when it was pushed, through updates and a deletion") { makeStore in
            let store = try makeStore(StoreOptions())
            for (document, pushedAt) in [("{}", 5), ("{}", 7), (nil, nil), ("{}", 9)] as [(String?, Int64?)] {
                var changes = StoreChanges(now: 0)
                var widget = StoredWidget.sample("pages", document: document)
                widget.pushedAt = pushedAt
                changes.widgets = [widget]
                _ = try store.commit(changes)
                #expect(try store.widget("pages")?.pushedAt == pushedAt)
            }
        },
    ]
}

extension PendingPush {
    /// One with everything set.
    public static func sample(_ slug: String, account: String = "acme") -> PendingPush {
        PendingPush(
            address: WidgetAddress(account: account, slug: slug), dueAt: 15_000, window: 15_000,
            changed: ChangedMembers(rawValue: 5), updates: 3, minAppVersion: "1.6", traceparent: "00-1-2-01",
            tracestate: "a=b")
    }
}

extension WidgetStore {
    /// All that is pending, by slug and account.
    fileprivate func pendingBySlug() throws -> [PendingPush] {
        try pendingPushes().sorted { ($0.address.slug, $0.address.account) < ($1.address.slug, $1.address.account) }
    }
}
