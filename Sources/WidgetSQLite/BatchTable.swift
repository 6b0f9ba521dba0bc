import WidgetWorker

/// A blob for a commit's number: the outbox and the deliveries are kept so, a row a batch.
final class BatchTable {
    private let insert: Statement
    private let deleteOne: Statement
    private let deleteUpTo: Statement
    private let update: Statement
    private let one: Statement
    private let range: Statement

    /// - Parameters:
    ///   - table: its name, with the columns `number` and `column`.
    ///   - contents: for errors.
    init(_ connection: Connection, table: String, column: String, contents: String) throws {
        insert = try Statement(
            connection, "INSERT INTO \(table) (number, \(column)) VALUES (?1, ?2)", during: "store \(contents)")
        deleteOne = try Statement(
            connection, "DELETE FROM \(table) WHERE number = ?1", during: "delete \(contents)")
        deleteUpTo = try Statement(
            connection, "DELETE FROM \(table) WHERE number <= ?1", during: "delete \(contents)")
        update = try Statement(
            connection, "UPDATE \(table) SET \(column) = ?2 WHERE number = ?1", during: "store \(contents)")
        one = try Statement(
            connection, "SELECT \(column) FROM \(table) WHERE number = ?1", during: "read \(contents)")
        range = try Statement(
            connection, "SELECT number, \(column) FROM \(table) WHERE number BETWEEN ?1 AND ?2 ORDER BY number",
            during: "read \(contents)")
    }

    func insert(_ number: Int64, _ bytes: [UInt8]) throws { try run(insert, number, bytes) }

    func update(_ number: Int64, _ bytes: [UInt8]) throws { try run(update, number, bytes) }

    private func run(_ statement: Statement, _ number: Int64, _ bytes: [UInt8]) throws {
        try statement.bind(1, number)
        try unsafe bytes.withUnsafeBytes {
            try unsafe statement.bind(2, blob: $0)
            try statement.run()
        }
    }

    func delete(_ number: Int64) throws {
        try deleteOne.bind(1, number)
        try deleteOne.run()
    }

    func delete(upTo number: Int64) throws {
        try deleteUpTo.bind(1, number)
        try deleteUpTo.run()
    }

    /// The row of a number; `nil` without one.
    func row(_ number: Int64) throws -> [UInt8]? {
        defer { one.reset() }
        try one.bind(1, number)
        return try one.step() ? one.bytes(0) : nil
    }

    /// Visits the rows of these numbers, lowest first.
    func visit(_ numbers: ClosedRange<Int64> = 0...(.max), _ visit: (Int64, [UInt8]) throws -> Void) throws {
        defer { range.reset() }
        try range.bind(1, numbers.lowerBound)
        try range.bind(2, numbers.upperBound)
        while try range.step() {
            try visit(range.integer(0), range.bytes(1))
        }
    }
}
