/// Deliveries of the source's present connection that wait to be decided, and how far that connection has come.
struct Backlog {
    /// Of the present connection; 0 while there is none.
    private(set) var generation: UInt64 = 0
    private var deliveries: [Delivery] = []
    /// The last tags that were delivered and acknowledged on it.
    private var deliveredTag: UInt64 = 0
    private var acknowledgedTag: UInt64 = 0

    var isEmpty: Bool { deliveries.isEmpty }
    /// Deliveries of the connection that are not acknowledged.
    var unacknowledged: Int { Int(deliveredTag - acknowledgedTag) }

    /// What an earlier connection delivered comes back by itself.
    mutating func connected(_ generation: UInt64) {
        deliveries.removeAll { $0.position.generation != generation }
        self.generation = generation
        deliveredTag = 0
        acknowledgedTag = 0
    }

    mutating func disconnected() { self = Backlog() }

    /// - Parameter isKept: false when they are left to be delivered again.
    mutating func add(_ new: [Delivery], isKept: Bool) {
        // Handed on as they are where that can be: to copy a message takes a count for each of its texts.
        if isKept && deliveries.isEmpty {
            deliveries = new
        } else if isKept {
            deliveries.append(contentsOf: new)
        }
        if let last = new.last?.position, last.generation == generation { deliveredTag = last.tag }
    }

    mutating func acknowledged(upTo position: DeliveryPosition) { acknowledgedTag = position.tag }

    mutating func removeAll() { deliveries.removeAll() }

    /// The next batch: all that is there, at most `limit`, up to the first message under suspicion, which goes alone.
    /// - Parameter fingerprint: asked only while some message is under suspicion.
    mutating func take(
        limit: Int, _ quarantine: Quarantine, fingerprint: (Message) -> Fingerprint
    ) -> (deliveries: [Delivery], isRefused: Bool) {
        var count = min(deliveries.count, limit)
        var isRefused = false
        if quarantine.isActive {
            let advice = deliveries.prefix(count).map { delivery in
                quarantine.advice(for: fingerprint(delivery.message), redelivered: delivery.redelivered)
            }
            isRefused = advice.first == .refuse
            count = max(1, advice.firstIndex { $0 != .usual } ?? count)
        }
        if count == deliveries.count {
            defer { deliveries = [] }
            return (deliveries, isRefused)
        }
        defer { deliveries.removeFirst(count) }
        return (Array(deliveries.prefix(count)), isRefused)
    }
}
