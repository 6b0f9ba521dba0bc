import Foundation

/// Data of other people that conformance tests read in place, beside the project; a clone without it skips them.
public enum Corpora {
    /// `../shared/corpora` from the project's root.
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "../shared/corpora").standardizedFileURL

    public static let arePresent = FileManager.default.fileExists(atPath: folder.path)
    public static let absence = "there is no folder ../shared/corpora beside this clone"

    /// The bytes of a file, by its path in the folder.
    public static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: path)))
    }

    /// The names of a folder's files, sorted.
    public static func files(_ path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: path).path).sorted()
    }

    /// A file's lines that hold something.
    public static func lines(_ path: String) throws -> [[UInt8]] {
        try bytes(path).split(separator: 0x0A).map(Array.init)
    }
}
