import Glibc
import WidgetWorker

/// Whether a worker could keep its state in a file: looked at without making, locking or changing anything.
public struct StoreInspection: Sendable {
    /// Absolute.
    public let path: String
    public let exists: Bool
    /// That the process may use, on the file's disk.
    public let freeBytes: Int

    /// - Throws: `StoreError` that says what is in the way.
    public init(path: String) throws {
        self.path = try DatabasePath(path).file
        exists = unsafe access(self.path, F_OK) == 0
        if exists { _ = try SQLiteReader(path: self.path) }
        let folder = String(self.path.prefix(through: self.path.lastIndex(of: "/") ?? self.path.startIndex))
        var disk = statvfs()
        freeBytes = unsafe statvfs(folder, &disk) == 0 ? Int(disk.f_bavail) * Int(disk.f_frsize) : 0
    }
}
