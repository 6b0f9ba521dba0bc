import Foundation
import Glibc

/// Programs that a test runs to their end.
public enum ProgramRun {
    public struct Fault: Error, CustomStringConvertible {
        public let description: String
    }

    /// Runs a program; `PATH` says where it is.
    ///
    /// Foundation's `Process` hands its threads' blocked signals on to a child, and a daemon that the child leaves
    /// behind would never see a SIGTERM. Here a child has none blocked, and its output is a file that nobody waits for.
    /// - Parameter environment: variables beside those of the tests.
    /// - Returns: what it printed, without the last line's end.
    @discardableResult
    public static func output(
        of program: String, _ arguments: [String] = [], environment: [String: String] = [:]
    ) throws -> String {
        let output = FileManager.default.temporaryDirectory.appending(path: "output-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: output) }
        let status = try wait(spawn(program, arguments, environment, output: output.path))
        let text = try String(decoding: Data(contentsOf: output), as: UTF8.self)
        guard status == 0 else {
            throw Fault(description: "\(program) \(arguments) ended with status \(status): \(text)")
        }
        return text.trimmingCharacters(in: .newlines)
    }

    private static func spawn(
        _ program: String, _ arguments: [String], _ environment: [String: String], output: String
    ) throws -> pid_t {
        var (actions, attributes) = (posix_spawn_file_actions_t(), posix_spawnattr_t())
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        var (words, settings) = (pointers([program] + arguments), pointers(variables.map { "\($0)=\($1)" }))
        defer { for text in words + settings { free(text) } }
        var child: pid_t = 0
        let failure = posix_spawnp(&child, program, &actions, &attributes, &words, &settings)
        guard failure == 0 else {
            throw Fault(description: "\(program) cannot be run: \(String(cString: strerror(failure)))")
        }
        return child
    }

    private static func pointers(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        texts.map { strdup($0) } + [nil]
    }

    /// - Returns: the exit status; of a program that a signal has ended, 128 and the signal, as a shell says it.
    private static func wait(_ child: pid_t) throws -> Int32 {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 {
            guard errno == EINTR else { throw Fault(description: "the end of process \(child) was lost") }
        }
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }
}
