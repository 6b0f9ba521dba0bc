import WidgetContract
import WidgetSQLite
import WidgetWorker

/// What the benchmarks give a store.
enum StoreSamples {
    /// A new store with the widgets that `MessageMix` updates.
    static func fill(_ path: String, widgets: Int) throws {
        let store = try SQLiteStore(path: path)
        for start in stride(from: 0, to: widgets, by: 10_000) {
            var changes = StoreChanges(now: 0)
            changes.widgets = (start..<min(start + 10_000, widgets)).map { widget($0, revision: 1) }
            _ = try store.commit(changes)
        }
        try store.close()
    }

    static func widget(_ number: Int, revision: Int64) -> StoredWidget {
        let body =
            #"{"name":"Rollout","content":{"template":"progress","value":0.\#(revision % 1000),"label":"Rollout of "#
            + #"billing","subtitle":"Step 7 of 40 · canary in eu-west-1","stat_rows":[{"label":"Pods","value":"7/40"},"#
            + #"{"label":"Errors","value":"0.07%"},{"label":"ETA","value":"34m"}],"icon":"arrow.up.circle","#
            + #""accent_color":"teal"}}"#
        return StoredWidget(
            address: WidgetAddress(account: "default", slug: "rollout-\(MessageMix.padded(number, 6))"),
            revision: revision, sequence: nil,
            createdAt: 1_796_040_000_000, updatedAt: 1_796_040_000_000 + revision, document: Array(body.utf8))
    }

    /// Under a UUID of these halves.
    static func entry(_ high: UInt64, _ low: UInt64) -> InboxEntry {
        let digits = [high, low].map { half in
            let text = String(half, radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }.joined()
        let id = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { digits.dropFirst($0.lowerBound).prefix($0.count) }
        return InboxEntry(
            key: InboxKey(account: "default", messageID: Array(id.joined(separator: "-").utf8)),
            fingerprint: Fingerprint(high: high, low: low),
            outcome: .accepted(slug: "rollout-000042", revision: 7, updatedAt: 1, changed: 3, deleted: false),
            rejections: 0)
    }

    /// So many fan-outs: of each state one, and again from the first.
    static func outcomes(_ count: Int, of states: [StoredWidget]) throws -> OutcomeBatch {
        var batch = OutcomeBatch()
        for number in 0..<count {
            try batch.appendFanOut(
                of: states[number % states.count], changed: ChangedMembers(rawValue: 3), coalesced: 0,
                minAppVersion: nil, traceparent: nil, tracestate: nil,
                storedAt: number < states.count ? number : nil)
        }
        return batch
    }
}
