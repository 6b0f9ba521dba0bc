import Glibc

/// A place for a store that is gone with the benchmark.
enum TemporaryStore {
    /// - Parameter body: is given the path of a file that is not there yet.
    static func with(_ body: (String) throws -> Void) throws {
        let folder = "/tmp/widgetd-bench-\(getpid())"
        guard unsafe mkdir(folder, 0o700) == 0 else { throw BenchmarkFailure("\(folder) cannot be made") }
        defer {
            for suffix in ["", "-wal", "-shm", "-lock", "-crashes"] { _ = unsafe unlink("\(folder)/store.db\(suffix)") }
            _ = unsafe rmdir(folder)
        }
        try body("\(folder)/store.db")
    }

    static func mebibytes(_ path: String) -> Double {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return 0 }
        return Double(status.st_size) / 1_048_576
    }
}
