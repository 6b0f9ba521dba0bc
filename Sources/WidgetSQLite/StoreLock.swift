import Glibc
import WidgetWorker

/// Keeps a second worker off the database for as long as this one has it open.
///
/// An exclusive `flock` on `<database>-lock`, not SQLite's own exclusive mode: so the file can still be opened with
/// `sqlite3` and read while the worker runs. The system drops the lock with the process, however it ends. The lock
/// file holds the worker's process id and stays behind; deleting it would let two workers lock two files of that name.
final class StoreLock {
    private let descriptor: Int32

    init(database: String) throws {
        let path = database + "-lock"
        descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Self.failure(path) }
        guard Self.retrying({ flock(descriptor, LOCK_EX | LOCK_NB) }) == 0 else {
            // The instance is whole, so what it throws from here on lets `deinit` close the file.
            throw errno == EWOULDBLOCK
                ? Self.refusal(database, holder: Self.holder(descriptor)) : Self.failure(path)
        }
        writeProcessID()
    }

    deinit {
        close(descriptor)
    }

    private func writeProcessID() {
        let line = Array("\(getpid())\n".utf8)
        // A lock without a readable id is a lock all the same.
        _ = ftruncate(descriptor, 0)
        _ = unsafe line.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }

    /// The process id in the lock file.
    private static func holder(_ descriptor: Int32) -> Int? {
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, $0.count, 0) }
        return Int(String(decoding: bytes.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }

    private static func refusal(_ database: String, holder: Int?) -> StoreError {
        let who = holder.map { "another worker, process \($0)," } ?? "another worker"
        return StoreError(
            "the store \(database) is in use: \(who) has it open, and one file serves one worker;"
                + " stop that one, name another file, or let many workers share a store with --store redis://…",
            isTransient: false)
    }

    private static func failure(_ path: String) -> StoreError {
        StoreError(
            "the store's lock file \(path) cannot be opened and locked: \(unsafe String(cString: strerror(errno)))",
            isTransient: false)
    }

    private static func retrying(_ call: () -> Int32) -> Int32 {
        while true {
            let result = call()
            if result != -1 || errno != EINTR { return result }
        }
    }
}
