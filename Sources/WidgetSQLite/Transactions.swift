import WidgetWorker

/// Groups of statements on a connection.
final class Transactions {
    private let connection: Connection
    private let beginWriting: Statement
    private let beginReading: Statement
    private let commit: Statement
    private let rollBack: Statement

    init(_ connection: Connection) throws {
        self.connection = connection
        // Immediate: the lock is asked for at the start, where waiting for it works. A transaction that begins by
        // reading and then writes would be refused without waiting.
        beginWriting = try Statement(connection, "BEGIN IMMEDIATE", during: "begin a commit")
        beginReading = try Statement(connection, "BEGIN", during: "begin to read")
        commit = try Statement(connection, "COMMIT", during: "commit")
        rollBack = try Statement(connection, "ROLLBACK", during: "roll back")
    }

    /// All of it is durable when this returns; nothing of it has happened when it throws.
    func write(_ body: () throws -> Void) throws {
        try run(beginWriting, body)
    }

    /// One snapshot for all that is read, and one search for it.
    func read<Result>(_ body: () throws -> Result) throws -> Result {
        try run(beginReading, body)
    }

    private func run<Result>(_ begin: Statement, _ body: () throws -> Result) throws -> Result {
        try begin.run()
        do {
            let result = try body()
            try commit.run()
            return result
        } catch {
            // Some faults have rolled back already. One that is in the way of rolling back, too, leaves the
            // transaction to the next call's `BEGIN`, which then says so.
            if connection.isInTransaction { try? rollBack.run() }
            throw error
        }
    }
}
