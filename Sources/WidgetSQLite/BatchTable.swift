import WidgetWorker

/// A blob for a commit's number: the outbox and the deliveries are kept so, a row a batch.
final class BatchTable {
    private let insert: Statement
    private let deleteOne: Statement
    private let deleteUpTo: Statement
    private let all: Statement

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
        all = try Statement(
            connection, "SELECT number, \(column) FROM \(table) ORDER BY number", during: "read \(contents)")
    }

    func insert(_ number: Int64, _ bytes: UnsafeRawBufferPointer) throws {
        try insert.bind(1, number)
        try unsafe insert.bind(2, blob: bytes)
        try insert.run()
    }

    func delete(_ number: Int64) throws {
        try deleteOne.bind(1, number)
        try deleteOne.run()
    }

    func delete(upTo number: Int64) throws {
        try deleteUpTo.bind(1, number)
        try deleteUpTo.run()
    }

    /// Visits all rows, lowest number first.
    func visitAll(_ visit: (Int64, [UInt8]) throws -> Void) throws {
        defer { all.reset() }
        while try all.step() {
            try visit(all.integer(0), all.bytes(1))
        }
    }
}
