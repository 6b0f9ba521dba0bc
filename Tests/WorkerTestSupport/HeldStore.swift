import Foundation
import Testing

/// A store that another process holds for writing: the worker cannot commit until it is released.
package final class HeldStore {
    private let process = Process()
    private let input = Pipe()

    package init(_ path: String) throws {
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/sqlite3")
        process.arguments = [path]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        input.fileHandleForWriting.write(Data(".bail on\n.timeout 10000\nBEGIN IMMEDIATE;\nSELECT 'held';\n".utf8))
        var said = Data()
        while !said.contains(UInt8(ascii: "\n")) {
            let more = output.fileHandleForReading.availableData
            try #require(!more.isEmpty, "sqlite3 could not hold the store")
            said += more
        }
    }

    deinit { release() }

    package func release() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
