public import WidgetContract

/// Where state is kept. One thread uses it, the worker's own; it answers from disk, the cache is the worker's.
///
/// Faults of the surroundings are thrown as `StoreError`; nothing has changed then.
public protocol WidgetStore: AnyObject {
    /// The widgets at these addresses, in the same order; `nil` where none ever was.
    func load(_ addresses: [WidgetAddress]) throws -> [StoredWidget?]

    /// What was decided under these ids within the dedupe window, in the same order.
    func recall(_ keys: [InboxKey]) throws -> [InboxEntry?]

    /// How many widgets that are not deleted an account has.
    func liveWidgets(in account: String) throws -> Int

    /// Makes all of it durable in one transaction, or none.
    func commit(_ changes: StoreChanges) throws -> Commit

    /// The batches whose outcomes are not settled, oldest first: those to publish again at start.
    func unsettledOutcomes() throws -> [NumberedOutcomes]

    /// The fan-outs that wait for the end of a throttle window, in any order.
    func pendingPushes() throws -> [PendingPush]

    /// Fingerprints of the deliveries that were decided and not forgotten, oldest first.
    func rememberedDeliveries() throws -> [Fingerprint]

    /// Releases files and connections.
    func close() throws
}

/// A widget as a store keeps it. A deleted one stays without its document, since its revision goes on counting.
public struct StoredWidget: Equatable, Sendable {
    public var address: WidgetAddress
    public var revision: Int64
    /// The last producer sequence that was applied.
    public var sequence: Int64?
    /// Milliseconds since 1970.
    public var createdAt: Int64
    /// Milliseconds since 1970.
    public var updatedAt: Int64
    /// JSON text of `{"name", "content", "push_throttle"?, "stale_after"?}`; `nil` when deleted.
    public var document: [UInt8]?
    /// When it was fanned out last, in milliseconds of the worker's steady clock since 1970; `nil` when that does not
    /// delay the next time.
    public var pushedAt: Int64?

    public init(
        address: WidgetAddress, revision: Int64, sequence: Int64?, createdAt: Int64, updatedAt: Int64,
        document: [UInt8]?, pushedAt: Int64? = nil
    ) {
        self.address = address
        self.revision = revision
        self.sequence = sequence
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.document = document
        self.pushedAt = pushedAt
    }
}

/// The idempotency key: a message id in its account, both compared by their bytes.
public struct InboxKey: Hashable, Sendable {
    public let account: String
    public let messageID: [UInt8]

    public static func == (left: InboxKey, right: InboxKey) -> Bool {
        left.messageID == right.messageID && left.account.utf8.elementsEqual(right.account.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(messageID)
        for byte in account.utf8 { hasher.combine(byte) }
    }

    public init(account: String, messageID: [UInt8]) {
        self.account = account
        self.messageID = messageID
    }
}

/// What was decided under an id.
public struct InboxEntry: Equatable, Sendable {
    public enum Outcome: Equatable, Sendable {
        /// `changed` is `ChangedMembers.rawValue`; times are milliseconds since 1970.
        case accepted(slug: String, revision: Int64, updatedAt: Int64, changed: UInt64, deleted: Bool)
        /// The problem as JSON text, without the original.
        case rejected(problem: [UInt8])
    }

    public var key: InboxKey
    /// Of type, address and body: a repeat has the same.
    public var fingerprint: Fingerprint
    public var outcome: Outcome
    /// How many rejections went out under `rejected:<id>`, so that each has an id of its own.
    public var rejections: Int

    public init(key: InboxKey, fingerprint: Fingerprint, outcome: Outcome, rejections: Int) {
        self.key = key
        self.fingerprint = fingerprint
        self.outcome = outcome
        self.rejections = rejections
    }
}

/// 128 bits of a hash over a message's type, address and body.
public struct Fingerprint: Hashable, Sendable {
    public var high: UInt64
    public var low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}

/// What one transaction makes durable.
public struct StoreChanges: Sendable {
    /// The clock of the batch in milliseconds since 1970: entries of the inbox age by it.
    public var now: Int64
    /// The last state of each widget that the batch changed.
    public var widgets: [StoredWidget] = []
    /// New entries, and known ones whose count of rejections grew.
    public var inbox: [InboxEntry] = []
    /// To be published; kept until settled.
    public var outcomes = OutcomeBatch()
    /// Decided deliveries in their order.
    public var deliveries: [Fingerprint] = []
    /// Fan-outs that wait, each in place of another at its address.
    public var pending: [PendingPush] = []
    /// Addresses at which none waits any more.
    public var noLongerPending: [WidgetAddress] = []
    /// Numbers of earlier commits whose outcomes are confirmed.
    public var settled: [Int64] = []
    /// Commits up to this number whose deliveries the broker can no longer hand out again.
    public var forgottenDeliveries: Int64 = 0

    public init(now: Int64) {
        self.now = now
    }
}

/// Evidence that a batch is durable.
public struct Commit: Sendable {
    /// Grows by at least one with each commit of a store, for ever.
    public let number: Int64

    package init(number: Int64) {
        self.number = number
    }
}

/// A fault of the store. The batch waits and is tried again when `isTransient`.
public struct StoreError: Error, CustomStringConvertible {
    public let description: String
    /// Waiting may mend it: locked by somebody, a full disk, a connection that broke.
    public let isTransient: Bool

    public init(_ description: String, isTransient: Bool) {
        self.description = description
        self.isTransient = isTransient
    }
}
