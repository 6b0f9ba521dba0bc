import CSQLite
import WidgetWorker

/// An open database. Owns the `sqlite3` pointer; one thread at a time uses it.
@safe package final class Connection {
    package enum Access {
        /// Creates the file when there is none.
        case readWrite
        /// Beside a worker that writes; changes nothing.
        case readOnly
    }

    /// The file, as errors name it.
    let path: String
    private let handle: OpaquePointer

    /// - Parameters:
    ///   - path: absolute, so that SQLite reads no URI or `:memory:` into it.
    ///   - busyTimeout: how long a call waits for a lock that another connection holds.
    package init(path: String, access: Access, busyTimeout: Duration) throws {
        _ = Self.configured
        self.path = path
        let mode =
            switch access {
            case .readWrite: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .readOnly: SQLITE_OPEN_READONLY
            }
        var opened: OpaquePointer?
        // The caller keeps to one thread, so SQLite's own lock a call is left out.
        let code = unsafe sqlite3_open_v2(path, &opened, mode | SQLITE_OPEN_NOMUTEX, nil)
        guard let opened = unsafe opened else {
            throw SQLiteFault(path: path, operation: "be opened", code: code, message: "", systemError: 0).storeError
        }
        unsafe handle = opened
        unsafe sqlite3_extended_result_codes(opened, 1)
        guard code == SQLITE_OK else { throw fault(code, during: "be opened") }
        unsafe sqlite3_busy_timeout(opened, Int32(clamping: busyTimeout.milliseconds))
    }

    deinit {
        // A statement keeps its connection, so none is left; the last connection folds the log into the file.
        unsafe sqlite3_close_v2(handle)
    }

    /// Set up once a process, before SQLite is first used.
    private static let configured: Int32 = csqlite_leave_memory_uncounted()

    /// Lends the pointer.
    func withHandle<Result>(_ body: (OpaquePointer) throws -> Result) rethrows -> Result {
        try unsafe body(handle)
    }

    /// The error for a result code that the last call gave.
    func fault(_ code: Int32, during operation: String) -> StoreError {
        SQLiteFault(
            path: path, operation: operation, code: code, message: unsafe String(cString: sqlite3_errmsg(handle)),
            systemError: unsafe sqlite3_system_errno(handle)
        ).storeError
    }

    /// Runs statements that give no rows that matter.
    package func execute(_ sql: String, during operation: String) throws {
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw fault(code, during: operation) }
    }

    /// The first column of the first row, `nil` without a row.
    package func integer(_ sql: String, during operation: String) throws -> Int64? {
        let statement = try Statement(self, sql, during: operation)
        defer { statement.reset() }
        return try statement.step() ? statement.integer(0) : nil
    }

    /// The first column of the first row, `nil` without a row.
    package func text(_ sql: String, during operation: String) throws -> String? {
        let statement = try Statement(self, sql, during: operation)
        defer { statement.reset() }
        return try statement.step() ? String(decoding: statement.bytes(0), as: UTF8.self) : nil
    }

    /// How many rows the last statement changed.
    var changedRows: Int { unsafe Int(sqlite3_changes(handle)) }

    /// Whether a transaction is open.
    var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    /// Whether the file was deleted, moved or replaced while it is open here: what is written then would be lost.
    var fileHasMoved: Bool {
        var moved: Int32 = 0
        let code = unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved)
        return code == SQLITE_OK && moved != 0
    }
}

extension Duration {
    /// Rounded down, held within what an `Int64` of milliseconds can count.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        return min(max(seconds, -1 << 52), 1 << 52) * 1000 + attoseconds / 1_000_000_000_000_000
    }
}
