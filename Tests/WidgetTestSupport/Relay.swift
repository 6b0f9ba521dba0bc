import Glibc
import Synchronization

/// Stands between a client and the broker, and can fall silent, be slow or hang up.
package final class Relay: Sendable {
    private enum AnswerFate {
        case passed, lost, hungUp
    }

    private struct State {
        var isSilent = false
        var losesAnswers = false
        var hangsUpInPlaceOfAnswer = false
        var bytesPerSecond: Int?
        var pairs: [(client: Int32, broker: Int32)] = []

        /// What to do about an answer.
        mutating func takeAnswer() -> AnswerFate {
            defer { hangsUpInPlaceOfAnswer = false }
            return hangsUpInPlaceOfAnswer ? .hungUp : losesAnswers ? .lost : .passed
        }
    }

    package let port: Int
    private let listener: Int32
    private let brokerPort: Int
    private let noteRequest: @Sendable ([UInt8]) -> Void
    private let state = Mutex(State())

    /// - Parameter noteRequest: hears what clients say before it is passed on.
    package init(to brokerPort: Int, noteRequest: @escaping @Sendable ([UInt8]) -> Void = { _ in }) throws {
        (listener, port) = try Sockets.listen()
        self.brokerPort = brokerPort
        self.noteRequest = noteRequest
        start { [self] in
            while case let client = accept(listener, nil, nil), client >= 0 {
                guard let broker = try? Sockets.connect(port: self.brokerPort) else {
                    Sockets.close(client)
                    continue
                }
                state.withLock { $0.pairs.append((client, broker)) }
                start { [self] in pass(from: client, to: broker) }
                start { [self] in pass(from: broker, to: client, isAnswer: true) }
            }
        }
    }

    /// Passes nothing more on, in either direction, and keeps the connections: a peer that is gone without a word.
    package func fallSilent() { state.withLock { $0.isSilent = true } }

    /// Passes on what clients say and none of the answers, until `hangUp`.
    package func loseAnswers() { state.withLock { $0.losesAnswers = true } }

    /// Passes on what clients say, and in place of the next answer hangs up.
    package func hangUpInPlaceOfAnswer() { state.withLock { $0.hangsUpInPlaceOfAnswer = true } }

    /// Passes on this much a second in each direction of each connection; `nil` is all there is.
    package func setPace(bytesPerSecond: Int?) { state.withLock { $0.bytesPerSecond = bytesPerSecond } }

    /// Cuts every connection; new ones are taken.
    package func hangUp() {
        state.withLock { state in
            for pair in state.pairs {
                shutdown(pair.client, Int32(SHUT_RDWR))
                shutdown(pair.broker, Int32(SHUT_RDWR))
            }
            state.pairs = []
            state.isSilent = false
            state.losesAnswers = false
        }
    }

    /// How many connections were made since the last `hangUp`.
    package var connections: Int { state.withLock { $0.pairs.count } }

    package func close() {
        shutdown(listener, Int32(SHUT_RDWR))
        hangUp()
    }

    private func pass(from source: Int32, to destination: Int32, isAnswer: Bool = false) {
        while let byte = Sockets.receive(source, 1) {
            let pace = state.withLock { $0.bytesPerSecond }
            // When slow, a tenth of a second's worth at a time.
            var chunk = [UInt8](repeating: 0, count: pace.map { max(1, $0 / 10) } ?? 65_536)
            let more = recv(source, &chunk, chunk.count, Int32(MSG_DONTWAIT))
            if state.withLock({ $0.isSilent }) { continue }
            switch isAnswer ? state.withLock({ $0.takeAnswer() }) : .passed {
            case .passed: break
            case .lost: continue
            case .hungUp:
                hangUp()
                continue
            }
            let bytes = byte + chunk.prefix(max(0, more))
            if !isAnswer { noteRequest(bytes) }
            guard Sockets.send(destination, bytes) else { break }
            if pace != nil { usleep(100_000) }
        }
        shutdown(source, Int32(SHUT_RDWR))
        shutdown(destination, Int32(SHUT_RDWR))
    }

    private func start(_ body: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let work = Unmanaged.passRetained(Work(body: body))
        pthread_create(
            &thread, nil,
            { pointer in
                Unmanaged<Work>.fromOpaque(pointer!).takeRetainedValue().body()
                return nil
            }, work.toOpaque())
        pthread_detach(thread)
    }

    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
