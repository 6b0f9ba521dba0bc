internal import WidgetWorker

/// Decides when to acknowledge what on one connection: many deliveries with one frame while there is much to do, and
/// soon when there is not, since each acknowledgement costs the broker about as much as a message.
struct Acknowledgements {
    /// So many deliveries are worth a frame at once.
    static let stride: UInt64 = 64
    /// How long fewer may wait for more, in milliseconds: a lone message is acknowledged within 5 of its arrival.
    static let patience = 2

    /// How the thread may sleep.
    struct Sleep: Equatable {
        /// Wishes below this tag need not wake it.
        var wakeAtTag: UInt64
        /// `nil` for as long as nothing happens.
        var milliseconds: Int?
    }

    private let generation: UInt64
    private var wished: UInt64 = 0
    private var done: UInt64 = 0
    private var waitsSince: Int?
    private var busySince: Int?

    init(generation: UInt64) {
        self.generation = generation
    }

    /// Everything up to `position` is finished. One of another connection is dropped: its tag means nothing here, and
    /// the broker answers a tag that it does not know by closing the channel.
    mutating func wish(_ position: DeliveryPosition) {
        guard position.generation == generation else { return }
        wished = max(wished, position.tag)
    }

    /// Whether everything up to `tag` is finished.
    func areWished(upTo tag: UInt64) -> Bool { wished >= tag }

    /// How many of the deliveries up to `tag` are not acknowledged.
    func open(upTo tag: UInt64) -> UInt64 { tag - min(tag, done) }

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

    /// While deliveries come the thread is awake often enough, and each wake it is spared is a message's worth of time.
    /// - Parameters:
    ///   - isBusy: deliveries have just come.
    ///   - stride: how many more are worth a wake then; `nil` for as many as are worth a frame.
    mutating func sleep(now: Int, isBusy: Bool, stride: UInt64? = nil) -> Sleep {
        if isBusy { busySince = now }
        if let since = busySince, now - since < Self.patience {
            return Sleep(wakeAtTag: done + (stride ?? Self.stride), milliseconds: Self.patience)
        }
        busySince = nil
        return Sleep(wakeAtTag: 0, milliseconds: waitsSince.map { max(1, Self.patience - (now - $0)) })
    }
}
