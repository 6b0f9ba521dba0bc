import Synchronization

/// Reads what a client sends on a plain connection, and keeps which routing key it published on which channel: frames
/// of AMQP 0-9-1 section 4.2.3.
final class PublishedFrames: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var hasGreeted = false
        var channels: [String: Set<Int>] = [:]
    }

    private let state = Mutex(State())

    /// The channels on which each routing key was published.
    var channels: [String: Set<Int>] { state.withLock { $0.channels } }

    func take(_ bytes: [UInt8]) {
        state.withLock { state in
            state.bytes += bytes
            if !state.hasGreeted, state.bytes.count >= 8 {
                state.bytes.removeFirst(8)
                state.hasGreeted = true
            }
            var rest = state.bytes[...]
            while state.hasGreeted, rest.count >= 7 {
                let head = Array(rest.prefix(7))
                let count = head[3...].reduce(0) { $0 << 8 | Int($1) }
                guard rest.count >= 7 + count + 1 else { break }
                let payload = Array(rest.dropFirst(7).prefix(count))
                // basic.publish: class and method, two reserved octets, exchange, routing key.
                if head[0] == 1, payload.starts(with: [0, 60, 0, 40]) {
                    let key = payload.dropFirst(7 + Int(payload[6]))
                    let text = String(decoding: key.dropFirst().prefix(Int(key.first ?? 0)), as: UTF8.self)
                    state.channels[text, default: []].insert(Int(head[1]) << 8 | Int(head[2]))
                }
                rest = rest.dropFirst(7 + count + 1)
            }
            state.bytes = Array(rest)
        }
    }
}
