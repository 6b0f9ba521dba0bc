import WidgetWorker

/// The outcomes that are not settled, a row a commit; what is told by a state in `recent_states` lies there alone.
final class OutboxTable {
    private let table: BatchTable
    private let states: BatchTable

    /// - Parameter states: the table `recent_states`.
    init(_ connection: Connection, states: BatchTable) throws {
        table = try BatchTable(connection, table: "outbox", column: "outcomes", contents: "outcomes")
        self.states = states
    }

    /// - Parameters:
    ///   - widgets: what the commit stores.
    ///   - places: of each its place in the commit's row of `recent_states`, -1 for none.
    func insert(_ outcomes: OutcomeBatch, number: Int64, of widgets: [StoredWidget], at places: [Int]) throws {
        try table.insert(number, OutboxRow.bytes(outcomes, of: widgets, at: places))
    }

    func delete(_ number: Int64) throws { try table.delete(number) }

    /// All that is there, oldest first.
    func all() throws -> [NumberedOutcomes] {
        var batches: [NumberedOutcomes] = []
        try table.visit { batches.append(NumberedOutcomes(number: $0, outcomes: try outcomes($1, $0))) }
        return batches
    }

    /// Makes the rows of these numbers independent of the states that were logged with them: those are to be deleted.
    func makeWhole(_ numbers: ClosedRange<Int64>) throws {
        var rows: [(number: Int64, bytes: [UInt8])] = []
        try table.visit(numbers) { number, row in
            let whole = try outcomes(row, number).bytes
            if whole != row { rows.append((number, whole)) }
        }
        for row in rows { try table.update(row.number, row.bytes) }
    }

    private func outcomes(_ row: [UInt8], _ number: Int64) throws -> OutcomeBatch {
        try OutboxRow.outcomes(row) { try states.row(number).map(StateRow.widgets) ?? [] }
    }
}
