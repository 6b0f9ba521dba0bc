internal import WidgetWorker

/// Decides when to acknowledge what on one connection: many deliveries with one frame while there is much to do, and
/// soon when there is not, since each acknowledgement costs the broker about as much as a message.
struct Acknowledgements {
    /// So many deliveries are worth a frame at once.
    static let stride: UInt64 = 64
    /// How long fewer may wait for more, in milliseconds.
    static let patience = 5

    private let generation: UInt64
    private var wished: UInt64 = 0
    private var done: UInt64 = 0
    private var waitsSince: Int?

    init(generation: UInt64) {
        self.generation = generation
    }

    /// Everything up to `position` is finished. One of another connection is dropped: its tag means nothing here, and
    /// the broker answers a tag that it does not know by closing the channel.
    mutating func wish(_ position: DeliveryPosition) {
        guard position.generation == generation else { return }
        wished = max(wished, position.tag)
    }

    /// The tag to acknowledge now, with all before it.
    mutating func due(now: Int) -> UInt64? {
        guard wished > done else { return nil }
        let since = waitsSince ?? now
        waitsSince = since
        guard wished - done >= Self.stride || now - since >= Self.patience else { return nil }
        return rest()
    }

    /// The tag to acknowledge before the connection ends.
    mutating func rest() -> UInt64? {
        guard wished > done else { return nil }
        done = wished
        waitsSince = nil
        return wished
    }

    /// How long the thread may sleep, in milliseconds; `nil` for as long as nothing happens.
    func patience(now: Int) -> Int? {
        waitsSince.map { max(1, Self.patience - (now - $0)) }
    }
}
