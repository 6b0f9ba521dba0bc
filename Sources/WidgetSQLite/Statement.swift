import CSQLite
import WidgetWorker

/// A prepared statement, kept for as long as its connection. Owns the `sqlite3_stmt` pointer.
///
/// Texts and blobs are bound without a copy: their memory must stay until the statement was stepped and reset.
@safe final class Statement {
    private let connection: Connection
    private let handle: OpaquePointer
    /// What it does, to follow "could not".
    private let operation: String

    /// - Parameter operation: to follow "could not" in an error: "store a widget".
    init(_ connection: Connection, _ sql: String, during operation: String) throws {
        self.connection = connection
        self.operation = operation
        var prepared: OpaquePointer?
        let code = unsafe connection.withHandle { database in
            // Persistent: it is used for as long as the store is open.
            unsafe sqlite3_prepare_v3(database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        }
        guard code == SQLITE_OK, let prepared = unsafe prepared else {
            throw connection.fault(code, during: operation)
        }
        unsafe handle = prepared
    }

    deinit {
        unsafe sqlite3_finalize(handle)
    }

    // MARK: Parameters, counted from 1

    func bind(_ index: Int32, _ value: Int64) throws {
        try check(unsafe sqlite3_bind_int64(handle, index, value))
    }

    func bind(_ index: Int32, _ value: Int64?) throws {
        guard let value else { return try bindNull(index) }
        try bind(index, value)
    }

    func bindNull(_ index: Int32) throws {
        try check(unsafe sqlite3_bind_null(handle, index))
    }

    /// - Parameter text: UTF-8 that stays until `reset`.
    func bind(_ index: Int32, text: UnsafeBufferPointer<UInt8>) throws {
        let count = Int32(clamping: text.count)
        try unsafe (text.baseAddress ?? Self.nothing.utf8Start).withMemoryRebound(to: CChar.self, capacity: text.count)
        { start in
            // No destructor: SQLite neither copies nor frees it.
            try check(unsafe sqlite3_bind_text(handle, index, start, count, nil))
        }
    }

    /// - Parameter blob: bytes that stay until `reset`.
    func bind(_ index: Int32, blob: UnsafeRawBufferPointer) throws {
        let start = unsafe blob.baseAddress ?? UnsafeRawPointer(Self.nothing.utf8Start)
        try check(unsafe sqlite3_bind_blob(handle, index, start, Int32(clamping: blob.count), nil))
    }

    // MARK: Running

    /// Whether there is a row to read; after it `reset` must follow.
    func step() throws -> Bool {
        let code = unsafe sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        guard code == SQLITE_DONE else { throw connection.fault(code, during: operation) }
        return false
    }

    /// Ready for the next parameters; what was bound is not looked at again.
    func reset() {
        unsafe sqlite3_reset(handle)
    }

    /// Runs a statement without rows.
    func run() throws {
        defer { reset() }
        _ = try step()
    }

    /// Runs a statement without rows with these texts, lent while it runs.
    func run(binding texts: ArraySlice<(index: Int32, text: String?)>) throws {
        guard let (index, text) = texts.first else { return try run() }
        guard let text else {
            try bindNull(index)
            return try run(binding: texts.dropFirst())
        }
        try unsafe text.withUTF8Bytes { bytes in
            try unsafe bind(index, text: bytes)
            try run(binding: texts.dropFirst())
        }
    }

    // MARK: Columns of the row, counted from 0

    func integer(_ column: Int32) -> Int64 {
        unsafe sqlite3_column_int64(handle, column)
    }

    func optionalInteger(_ column: Int32) -> Int64? {
        isNull(column) ? nil : integer(column)
    }

    func isNull(_ column: Int32) -> Bool {
        unsafe sqlite3_column_type(handle, column) == SQLITE_NULL
    }

    /// Of a text or a blob, copied.
    func bytes(_ column: Int32) -> [UInt8] {
        unsafe withBytes(column) { unsafe [UInt8]($0) }
    }

    /// Lends the bytes of a text or a blob.
    func withBytes<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        // The blob before its length: in this order SQLite converts nothing.
        let start = unsafe sqlite3_column_blob(handle, column)
        let count = unsafe Int(sqlite3_column_bytes(handle, column))
        return unsafe body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }

    private func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw connection.fault(code, during: operation) }
    }

    /// For an empty text or blob: a null pointer would bind NULL.
    private static let nothing: StaticString = ""
}

extension String {
    /// Lends the UTF-8 in place.
    @inline(__always)
    func withUTF8Bytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        if let result = try unsafe utf8.withContiguousStorageIfAvailable(body) { return result }
        return try unsafe Array(utf8).withUnsafeBufferPointer(body)
    }
}
