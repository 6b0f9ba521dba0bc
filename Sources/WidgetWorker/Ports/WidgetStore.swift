public import WidgetContract
import WidgetJSON

/// Where state is kept. One thread uses it, the worker's own; it answers from disk, the cache is the worker's.
///
/// Faults of the surroundings are thrown as `StoreError`; nothing has changed then.
public protocol WidgetStore: AnyObject {
    /// Other workers write to it at the same time. Then what is cached may be old, a commit may be lost to another
    /// (`LostComparison`), and `takeOver` tells what others left; else an earlier run of this worker left it all, and
    /// `unsettledOutcomes`, `pendingPushes` and `rememberedDeliveries` tell it at start.
    var isShared: Bool { get }

    /// What is known of all that a batch asks for, in one go.
    func find(_ lookup: StoreLookup) throws -> StoreFindings

    /// The widgets at these addresses, in the same order; `nil` where none ever was.
    func load(_ addresses: [WidgetAddress]) throws -> [StoredWidget?]

    /// What was decided under these ids within the dedupe window, in the same order.
    func recall(_ keys: [InboxKey]) throws -> [InboxEntry?]

    /// How many widgets that are not deleted an account has.
    func liveWidgets(in account: String) throws -> Int

    /// Makes all of it durable in one transaction, or none.
    /// - Throws: `StoreError`; from a shared store `LostComparison`, too.
    func commit(_ changes: StoreChanges) throws -> Commit

    /// The batches whose outcomes are not settled, oldest first: those to publish again at start.
    func unsettledOutcomes() throws -> [NumberedOutcomes]

    /// The fan-outs that wait for the end of a throttle window, in any order.
    func pendingPushes() throws -> [PendingPush]

    /// Fingerprints of the deliveries that were decided and not forgotten, oldest first.
    func rememberedDeliveries() throws -> [Fingerprint]

    /// Makes this worker the only consumer of a queue, in a shared store.
    /// - Parameter queue: counted from 0, among those that the store was made for.
    /// - Returns: what its consumers before left.
    func takeOver(queue: Int) throws -> QueueLeftovers

    /// Takes what workers that are gone from a shared store left, whatever the queue. Asked about once a second, which
    /// also tells the others that this worker is there.
    /// - Parameter now: the worker's steady clock, milliseconds since 1970.
    func takeOverAbandoned(at now: Int64) throws -> AbandonedWork

    /// Whether it has put off work of its own, which `workAtLeisure` would do a part of.
    var hasPutOffWork: Bool { get }

    /// Does a part of what it put off, as much as a batch may wait for. Asked when nothing else has been to do for a
    /// while.
    func workAtLeisure() throws

    /// Releases files and connections.
    func close() throws
}

extension WidgetStore {
    public var isShared: Bool { false }

    public func find(_ lookup: StoreLookup) throws -> StoreFindings {
        StoreFindings(
            widgets: lookup.addresses.isEmpty ? [] : try load(lookup.addresses),
            entries: lookup.keys.isEmpty ? [] : try recall(lookup.keys),
            liveWidgets: try lookup.accounts.map(liveWidgets))
    }

    public var hasPutOffWork: Bool { false }

    public func workAtLeisure() throws {}

    public func takeOver(queue: Int) throws -> QueueLeftovers { QueueLeftovers() }

    public func takeOverAbandoned(at now: Int64) throws -> AbandonedWork { AbandonedWork() }
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
        guard left.messageID == right.messageID else { return false }
        return unsafe left.account.withBytes { left in
            unsafe right.account.withBytes { unsafe left.elementsEqual($0) }
        }
    }

    public func hash(into hasher: inout Hasher) {
        // In one piece each: a byte at a time costs ten times as much.
        unsafe messageID.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        unsafe account.withBytes { unsafe hasher.combine(bytes: $0) }
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
