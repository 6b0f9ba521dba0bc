internal import Glibc
import Synchronization
import WidgetTelemetry
import WidgetWorker

/// Whether the server's thread still answers. Every few seconds the worker's loop asks it over a connection within the
/// process, which no client can take from it, and never waits: the answer is there at a later turn, or it is not.
///
/// A worker without its admin address works on: it says so in the log, since whoever asks for the readiness asks the
/// very thread that is silent.
final class AnswerWatch: WorkerObserver {
    private static let pauseNanoseconds = 5_000_000_000
    private static let patienceNanoseconds = 10_000_000_000
    // Any answer will do, that of an address which wants a token, too.
    private static let request = Array("GET /livez HTTP/1.0\r\n\r\n".utf8)

    private struct State {
        /// Our end of the connection, while an answer is awaited.
        var descriptor: Int32?
        var askedAt = Int.min / 2
        var isSilent = false
    }

    private let state = Mutex(State())
    private let server: Server
    private let clock: WorkerClock
    private let log: Log

    init(_ server: Server, clock: WorkerClock, log: Log) {
        self.server = server
        self.clock = clock
        self.log = log
    }

    deinit {
        if let descriptor = state.withLock({ $0.descriptor }) { close(descriptor) }
    }

    func changed(_ readiness: Readiness) {}

    func stored(_ outcomes: OutcomeBatch) {}

    func turned(_ measures: WorkerMeasures) {
        let now = clock.monotonicNanoseconds()
        state.withLock { state in
            if let descriptor = state.descriptor {
                listen(descriptor, now, &state)
            } else if now - state.askedAt >= Self.pauseNanoseconds {
                state.askedAt = now
                state.descriptor = ask()
            }
        }
    }

    private func listen(_ descriptor: Int32, _ now: Int, _ state: inout State) {
        var byte: UInt8 = 0
        let isAnswered = unsafe recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT)) >= 0 || errno != EAGAIN
        if isAnswered {
            close(descriptor)
            state.descriptor = nil
            if state.isSilent { log.info("the admin address answers again") }
            state.isSilent = false
        } else if !state.isSilent && now - state.askedAt >= Self.patienceNanoseconds {
            state.isSilent = true
            log.error(
                "the admin address does not answer; the worker goes on without it",
                ["seconds": Self.patienceNanoseconds / 1_000_000_000])
        }
    }

    /// - Returns: where the answer comes; `nil` when the server has as many connections as it may, and nothing is known.
    private func ask() -> Int32? {
        var ends: [Int32] = [-1, -1]
        guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            return nil
        }
        let count = unsafe Self.request.withUnsafeBytes { unsafe write(ends[0], $0.baseAddress, $0.count) }
        guard server.serve(ends[1]), count == Self.request.count else {
            close(ends[0])
            return nil
        }
        return ends[0]
    }
}
