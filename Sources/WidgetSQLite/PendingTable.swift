import WidgetContract
import WidgetWorker

/// The fan-outs that wait for the end of a throttle window, a row each.
final class PendingTable {
    private let putRow: Statement
    private let deleteRow: Statement
    private let allRows: Statement

    init(_ connection: Connection) throws {
        putRow = try Statement(
            connection,
            """
            INSERT OR REPLACE INTO pending (account, slug, due_at, window, changed, updates, min_app_version,
                traceparent, tracestate)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            """, during: "store a pending fan-out")
        deleteRow = try Statement(
            connection, "DELETE FROM pending WHERE account = ?1 AND slug = ?2", during: "delete a pending fan-out")
        allRows = try Statement(
            connection,
            """
            SELECT account, slug, due_at, window, changed, updates, min_app_version, traceparent, tracestate
            FROM pending
            """, during: "read pending fan-outs")
    }

    func put(_ push: PendingPush) throws {
        try putRow.bind(3, push.dueAt)
        try putRow.bind(4, push.window)
        try putRow.bind(5, Int64(bitPattern: push.changed.rawValue))
        try putRow.bind(6, Int64(push.updates))
        try putRow.run(
            binding: [
                (1, push.address.account), (2, push.address.slug), (7, push.minAppVersion), (8, push.traceparent),
                (9, push.tracestate),
            ])
    }

    func delete(_ address: WidgetAddress) throws {
        try deleteRow.run(binding: [(1, address.account), (2, address.slug)])
    }

    func all() throws -> [PendingPush] {
        defer { allRows.reset() }
        var pushes: [PendingPush] = []
        while try allRows.step() {
            pushes.append(
                PendingPush(
                    address: WidgetAddress(account: text(0) ?? "", slug: text(1) ?? ""), dueAt: allRows.integer(2),
                    window: allRows.integer(3),
                    changed: ChangedMembers(rawValue: UInt64(bitPattern: allRows.integer(4))),
                    updates: Int(allRows.integer(5)), minAppVersion: text(6), traceparent: text(7),
                    tracestate: text(8)))
        }
        return pushes
    }

    private func text(_ column: Int32) -> String? {
        allRows.isNull(column) ? nil : String(decoding: allRows.bytes(column), as: UTF8.self)
    }
}
