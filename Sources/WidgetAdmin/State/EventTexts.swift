import Synchronization
import WidgetWorker

/// Batches as lines of `text/event-stream`, each made once for however many streams tell of it.
final class EventTexts: Sendable {
    private static let mostBytes = 2 * 1024 * 1024

    private struct State {
        /// The newest is last.
        var texts: [(number: UInt64, bytes: [UInt8])] = []
        var bytes = 0
    }

    private let state = Mutex(State())

    func text(of number: UInt64, _ outcomes: OutcomeBatch) -> [UInt8] {
        state.withLock { state in
            if let known = state.texts.last(where: { $0.number == number }) { return known.bytes }
            let bytes = Self.write(number, outcomes)
            state.texts.append((number, bytes))
            state.bytes += bytes.count
            while state.bytes > Self.mostBytes, state.texts.count > 1 {
                state.bytes -= state.texts.removeFirst().bytes.count
            }
            return bytes
        }
    }

    private static func write(_ number: UInt64, _ outcomes: OutcomeBatch) -> [UInt8] {
        var out: [UInt8] = []
        outcomes.visit { outcome in
            guard outcome.destination != .reply else { return }
            let kind = outcome.destination == .accepted ? "accepted" : "rejected"
            out += "id: \(number)\nevent: \(kind)\ndata: ".utf8
            out += PublicText.redacted(outcome.body)
            out += "\n\n".utf8
        }
        return out
    }
}
