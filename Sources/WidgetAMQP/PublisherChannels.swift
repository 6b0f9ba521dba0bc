internal import CAMQPShim
internal import WidgetWorker

/// The channels of a publishing connection, and which of them an outcome goes over: always the same one for all outcomes
/// of a widget, since the broker keeps order within a channel only.
struct PublisherChannels {
    /// A channel is one process of the broker, which routes and takes apart what is published on it. On quorum queues
    /// one is what limits the rate, and a third gains nothing more; on classic ones the queue's own process limits, and
    /// confirms that come in two rows cost it a tenth.
    static func wanted(for type: Topology.QueueType) -> Int { type == .quorum ? 2 : 1 }

    let count: Int

    /// By the widget's address, FNV-1a of it; what has no address, or a part of one, goes by what it has.
    func channel(of outcome: borrowing OutcomeFields) -> Int {
        guard count > 1 else { return 0 }
        let hash = unsafe Self.hash(outcome.slug, from: Self.hash(outcome.account, from: 0xCBF2_9CE4_8422_2325))
        // Addresses that differ in their last byte differ in few bits of it: spread over all, of which the highest decide.
        return Int((hash &* 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: UInt64(count)).high)
    }

    private static func hash(_ text: camqp_bytes, from start: UInt64) -> UInt64 {
        unsafe text.buffer.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
