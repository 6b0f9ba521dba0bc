import Glibc
import Synchronization

/// The process whose signals are passed on: 0 before it runs. A signal handler reads it, so it is global and atomic.
private let childID = Atomic<pid_t>(0)
/// A signal that came before the process ran.
private let earlySignal = Atomic<Int32>(0)

/// A command that runs with this program's own streams, in its process group.
struct ChildProcess {
    /// How it ended.
    enum End {
        case exited(Int32)
        case signalled(Int32)

        /// As shells tell it: 128 and the signal's number.
        var status: Int32 {
            switch self {
            case .exited(let status): status
            case .signalled(let number): 128 + number
            }
        }
    }

    /// Why it does not run.
    struct Failure: Error {
        let reason: String
        /// As shells tell it: 127 when there is no such command, 126 when it cannot be run.
        let status: Int32
    }

    private let id: pid_t

    /// Starts it; from then on SIGINT, SIGTERM, SIGHUP and SIGQUIT are its alone.
    init(_ words: [String]) throws(Failure) {
        Self.passSignalsOn()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        // This program ignores SIGPIPE, and what is ignored stays so over an exec.
        var usual = sigset_t()
        unsafe sigemptyset(&usual)
        unsafe sigaddset(&usual, SIGPIPE)
        unsafe posix_spawnattr_setsigdefault(&attributes, &usual)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
        var id = pid_t()
        let fault = unsafe posix_spawnp(&id, words[0], nil, &attributes, &arguments, environ)
        for index in unsafe arguments.indices { unsafe free(arguments[index]) }
        unsafe posix_spawnattr_destroy(&attributes)
        guard fault == 0 else {
            throw Failure(reason: unsafe String(cString: strerror(fault)), status: fault == ENOENT ? 127 : 126)
        }
        self.id = id
        childID.store(id, ordering: .sequentiallyConsistent)
        let early = earlySignal.exchange(0, ordering: .sequentiallyConsistent)
        if early != 0 { kill(id, early) }
    }

    /// Waits for its end.
    func wait() -> End {
        var status: Int32 = 0
        while unsafe waitpid(id, &status, 0) < 0 && errno == EINTR {}
        // Nobody else may have the number next.
        childID.store(0, ordering: .sequentiallyConsistent)
        // wait(2): WIFEXITED, WEXITSTATUS, WTERMSIG, which Swift does not see.
        return status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .signalled(status & 0x7F)
    }

    private static func passSignalsOn() {
        // Initialised before a handler could be the first to touch them.
        childID.store(0, ordering: .sequentiallyConsistent)
        earlySignal.store(0, ordering: .sequentiallyConsistent)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
            var before = sigaction()
            unsafe sigaction(number, nil, &before)
            // What was ignored stays so (nohup).
            if unsafe unsafeBitCast(before.__sigaction_handler.sa_handler, to: Int.self) == 1 { continue }
            var action = sigaction()
            action.sa_flags = SA_SIGINFO | SA_RESTART
            unsafe action.__sigaction_handler.sa_sigaction = { number, information, _ in
                // From the terminal (above 0, sigaction(2)) it came to the whole process group.
                guard let information = unsafe information, unsafe information.pointee.si_code <= 0 else { return }
                let id = childID.load(ordering: .sequentiallyConsistent)
                if id > 0 { kill(id, number) } else { earlySignal.store(number, ordering: .sequentiallyConsistent) }
            }
            unsafe sigaction(number, &action, nil)
        }
    }
}
