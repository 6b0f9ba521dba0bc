import Glibc
import WidgetContract
import WidgetWorker

/// `widgetd apply` as a process over a file of prepared lines: reading, deciding and writing, start included.
struct ApplyBenchmark {
    let count: Int
    let widgets: Int

    /// - Returns: the figures in a line.
    /// - Throws: `Failure` when the file cannot be written or the program fails.
    func run() throws -> String {
        let path = "/tmp/widgetd-bench-\(getpid()).ndjson"
        defer { _ = unsafe unlink(path) }
        try writeLines(to: path)
        let program =
            CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false).dropLast()
            .joined(separator: "/") + "/widgetd"
        let before = Self.childMicroseconds()
        try Self.runToEnd([program, "apply", "--quiet", "--max-widgets", "0", path])
        let nanoseconds = (Self.childMicroseconds() - before) * 1000 / (count + widgets)
        return "apply: \(count) messages of \(widgets) widgets, \(nanoseconds) ns CPU a message"
    }

    struct Failure: Error {
        let message: String
    }

    private func writeLines(to path: String) throws {
        let mix = MessageMix(widgets: widgets, hot: widgets, wrong: 15)
        guard let file = unsafe fopen(path, "w") else { throw Failure(message: "\(path) cannot be written") }
        defer { unsafe fclose(file) }
        for index in 0..<(widgets + count) {
            let message = mix.message(index)
            let slug = message.routingKey.split(separator: ".").last ?? ""
            let body = String(decoding: message.body, as: UTF8.self)
            let type = message.type.map { "\"type\":\"\($0)\"," } ?? ""
            // A body that was cut off is no JSON: it travels as text.
            let content =
                body.hasSuffix("}") ? "\"body\":\(body)" : "\"raw_base64\":\"\(Base64.encode(message.body[...]))\""
            let line = "{\(type)\"account\":\"default\",\"slug\":\"\(slug)\",\(content)}\n"
            unsafe fputs(line, file)
        }
    }

    private static func childMicroseconds() -> Int {
        var usage = rusage()
        unsafe getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + $1.tv_sec * 1_000_000 + Int($1.tv_usec) }
    }

    private static func runToEnd(_ words: [String]) throws {
        let arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { for index in unsafe arguments.indices { unsafe free(arguments[index]) } }
        var child = pid_t()
        let status = unsafe posix_spawn(&child, words[0], nil, nil, arguments, environ)
        guard status == 0 else { throw Failure(message: "\(words[0]) does not start; build it first") }
        var ending: Int32 = 0
        unsafe waitpid(child, &ending, 0)
        guard ending == 0 else { throw Failure(message: "\(words[0]) ends with \(ending)") }
    }
}
