internal import CMicroHTTPD
import Synchronization

/// One client's server-sent events: what is there to be sent, and the connection, asleep while nothing is.
///
/// The library calls `read` on its own thread; `wake` comes from any.
@safe final class EventStream: Sendable {
    /// What is new behind an event's number, as lines of `text/event-stream`, and the number reached.
    typealias News = @Sendable (_ after: UInt64) -> (bytes: [UInt8], reached: UInt64)

    @safe private struct State: @unchecked Sendable {
        // The library keeps a connection for as long as it is suspended, so any thread may resume it.
        var suspended: OpaquePointer?
        // Used in `read` alone, which the library calls for a connection that is there.
        var connection: OpaquePointer?
        var unsent: ArraySlice<UInt8> = []
        var reached: UInt64
        var isOver = false
    }

    private let state: Mutex<State>
    private let news: News
    private let tellOthers: @Sendable () -> Void

    /// - Parameter tellOthers: called on the library's thread when there was something new, for other streams may sleep.
    init(after number: UInt64, news: @escaping News, tellOthers: @escaping @Sendable () -> Void) {
        unsafe state = Mutex(State(reached: number))
        self.news = news
        self.tellOthers = tellOthers
    }

    /// The connection on which it runs, before the library reads from it.
    func begin(_ connection: OpaquePointer) {
        state.withLock { unsafe $0.connection = connection }
    }

    /// There may be something new.
    /// - Returns: whether it slept.
    @discardableResult
    func wake() -> Bool {
        state.withLock { state in
            guard let connection = unsafe state.suspended else { return false }
            unsafe state.suspended = nil
            unsafe MHD_resume_connection(connection)
            return true
        }
    }

    /// No more comes: the stream ends at its next turn.
    func end() {
        state.withLock { $0.isOver = true }
        wake()
    }

    /// Fills the buffer, or puts the connection to sleep.
    /// - Returns: `nil` at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        var isNew = false
        defer { if isNew { tellOthers() } }
        return state.withLock { state in
            if state.isOver { return nil }
            if state.unsent.isEmpty {
                let (bytes, reached) = news(state.reached)
                state.unsent = bytes[...]
                isNew = reached > state.reached
                state.reached = reached
            }
            let count = min(buffer.count, state.unsent.count)
            if count == 0, let connection = unsafe state.connection {
                unsafe MHD_suspend_connection(connection)
                unsafe state.suspended = connection
                return 0
            }
            unsafe buffer.copyBytes(from: state.unsent.prefix(count))
            state.unsent = state.unsent.dropFirst(count)
            return count
        }
    }
}
