import Foundation

/// A folder that is gone with the test.
final class TemporaryFolder {
    let path: String

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "widget-store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        path = folder.path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of a file in it.
    func file(_ name: String = "widgetd.db") -> String { "\(path)/\(name)" }

    /// Copies a database with its log as they are on the disk, as a crash would leave them.
    func copyDatabase(_ name: String = "widgetd.db", to copy: String) throws {
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: file(name) + suffix, toPath: file(copy) + suffix)
        }
    }
}
