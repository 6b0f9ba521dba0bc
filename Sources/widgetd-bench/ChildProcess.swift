import Glibc

/// A program that this one starts and looks at while it runs.
struct ChildProcess {
    let id: pid_t

    /// - Parameter words: the program's path and its arguments.
    /// - Throws: `BenchmarkFailure` when it does not start.
    init(_ words: [String]) throws {
        let arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { for index in unsafe arguments.indices { unsafe free(arguments[index]) } }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var child = pid_t()
        guard unsafe posix_spawn(&child, words[0], &actions, nil, arguments, environ) == 0 else {
            throw BenchmarkFailure("\(words[0]) does not start; build it first")
        }
        id = child
    }

    /// `widgetd` beside this program.
    static var widgetd: String {
        CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false).dropLast()
            .joined(separator: "/") + "/widgetd"
    }

    /// CPU time so far, user and system.
    var microseconds: Int {
        // After the name in parentheses, which may hold anything, come the fields from the third on (proc(5)).
        let fields = Self.read("/proc/\(id)/stat").split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12 else { return 0 }
        return ((Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0)) * 1_000_000 / sysconf(Int32(_SC_CLK_TCK))
    }

    var residentKilobytes: Int { Self.residentKilobytes(of: "\(id)") }

    static func residentKilobytes(of process: String) -> Int {
        let line = read("/proc/\(process)/status").split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    }

    private static func read(_ path: String) -> String {
        guard let file = unsafe fopen(path, "r") else { return "" }
        defer { unsafe fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 8192)
        let count = unsafe fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    /// Asks it to end and waits for that.
    /// - Throws: `BenchmarkFailure` when it ends with a fault.
    func stop() throws {
        kill(id, SIGTERM)
        try join()
    }

    /// Waits for its end.
    /// - Throws: `BenchmarkFailure` when it ends with a fault.
    func join() throws {
        var ending: Int32 = 0
        unsafe waitpid(id, &ending, 0)
        guard ending == 0 else { throw BenchmarkFailure("a process of the benchmark ended with status \(ending >> 8)") }
    }
}
