import Foundation

/// What tests do to files behind a store's back.
enum Files {
    static func length(of path: String) throws -> UInt64 {
        let handle = try FileHandle(forReadingFrom: URL(filePath: path))
        defer { try? handle.close() }
        return try handle.seekToEnd()
    }

    static func cut(_ path: String, to length: UInt64) throws {
        let handle = try FileHandle(forWritingTo: URL(filePath: path))
        defer { try? handle.close() }
        try handle.truncate(atOffset: length)
    }

    static func overwrite(_ path: String, from offset: UInt64, with bytes: [UInt8]) throws {
        let handle = try FileHandle(forWritingTo: URL(filePath: path))
        defer { try? handle.close() }
        try handle.seek(toOffset: offset)
        try handle.write(contentsOf: Data(bytes))
    }
}
