import Synchronization
import WidgetWorker

/// The worker's store, read beside it.
final class StoreView: Sendable {
    private struct Reader: @unchecked Sendable {
        // Opened, used and never handed out under the lock, on the server's one thread.
        var opened: (any WidgetReader)?
    }

    private let openReader: (@Sendable () throws -> any WidgetReader)?
    private let reader = Mutex(Reader())

    /// - Parameter openReader: `nil` for a store that cannot be looked into.
    init(openReader: (@Sendable () throws -> any WidgetReader)?) {
        self.openReader = openReader
    }

    var canBeRead: Bool { openReader != nil }

    /// - Throws: `StoreError`.
    func look<Result: Sendable>(_ body: (any WidgetReader) throws -> Result) throws -> Result {
        guard let openReader else {
            throw StoreError("a store in memory is its worker's alone and cannot be looked into", isTransient: false)
        }
        return try reader.withLock { reader in
            let opened = try reader.opened ?? openReader()
            reader.opened = opened
            return try body(opened)
        }
    }
}
