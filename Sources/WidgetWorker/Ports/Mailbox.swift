import Dispatch
import Synchronization

/// A queue from any thread to one: the receiver takes everything that is there at once.
public final class Mailbox<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var receiverWaits = false
    }

    private let state = Mutex(State())
    private let arrival = DispatchSemaphore(value: 0)

    public init() {}

    /// - Returns: whether it was waited for; otherwise the receiver is at work on what it took before.
    @discardableResult
    public func post(_ element: Element) -> Bool {
        let wake = state.withLock { state in
            state.elements.append(element)
            defer { state.receiverWaits = false }
            return state.receiverWaits
        }
        if wake { arrival.signal() }
        return wake
    }

    /// Everything posted since the last call, oldest first; empty when nothing came within `milliseconds`
    /// (`nil` waits for ever).
    public func take(waitingMilliseconds milliseconds: Int?) -> [Element] {
        let deadline = milliseconds.map { DispatchTime.now() + .milliseconds($0) } ?? .distantFuture
        while true {
            let taken = state.withLock { state in
                let taken = state.elements
                state.elements = []
                state.receiverWaits = taken.isEmpty
                return taken
            }
            if !taken.isEmpty { return taken }
            if arrival.wait(timeout: deadline) == .timedOut {
                // A post between the time-out and this line has signalled, or is about to: take that signal too.
                let late = state.withLock { state in
                    defer { state.receiverWaits = false }
                    return !state.receiverWaits
                }
                guard late else { return [] }
                arrival.wait()
            }
        }
    }
}
