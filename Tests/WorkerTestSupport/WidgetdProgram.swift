import Foundation
package import Testing

/// The release build of the program, run as its users run it: `WIDGETD_TEST_BINARY` says where it is.
package enum WidgetdProgram {
    package static let path = ProcessInfo.processInfo.environment["WIDGETD_TEST_BINARY"]
    package static var isThere: Bool { path != nil }
    package static let absence: Comment = "WIDGETD_TEST_BINARY names no release build; deploy/test sets it"

    /// How a run ended and what it said.
    package struct Result {
        package let status: Int32
        package let output: String
        package let errors: String

        /// The lines of standard output.
        package var lines: [String] { output.split(separator: "\n").map(String.init) }
        /// The lines of standard error.
        package var errorLines: [String] { errors.split(separator: "\n").map(String.init) }
    }

    /// Runs it to its end.
    /// - Parameter word: asks it to end once it has said this on standard error, or a while later.
    package static func run(
        _ arguments: [String], input: String = "", endingWhen word: String? = nil, environment: [String: String] = [:]
    ) throws -> Result {
        let folder = try TemporaryFolder()
        let files = ["in", "out", "err"].map { folder.path($0) }
        try Data(input.utf8).write(to: URL(filePath: files[0]))
        for file in files[1...] { _ = FileManager.default.createFile(atPath: file, contents: nil) }
        let process = Process()
        process.executableURL = URL(filePath: try #require(path))
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle(forReadingAtPath: files[0])
        process.standardOutput = FileHandle(forWritingAtPath: files[1])
        process.standardError = FileHandle(forWritingAtPath: files[2])
        try process.run()
        if let word {
            let end = ContinuousClock.now + .seconds(120)
            while ContinuousClock.now < end, process.isRunning,
                try !String(contentsOfFile: files[2], encoding: .utf8).contains(word)
            {}
            process.terminate()
        }
        process.waitUntilExit()
        return Result(
            status: process.terminationStatus, output: try String(contentsOfFile: files[1], encoding: .utf8),
            errors: try String(contentsOfFile: files[2], encoding: .utf8))
    }
}
