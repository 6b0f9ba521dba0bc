public import WidgetContract

/// What one transaction makes durable.
public struct StoreChanges: Sendable {
    /// The clock of the batch in milliseconds since 1970: entries of the inbox age by it.
    public var now: Int64
    /// The last state of each widget that the batch changed.
    public var widgets: [StoredWidget] = []
    /// What each of `widgets` takes the place of, in the same order, `nil` where none ever was: a shared store compares.
    /// Empty where nothing is compared.
    public var replaced: [WidgetVersion?] = []
    /// New entries; in a shared store none may be there under their keys.
    public var inbox: [InboxEntry] = []
    /// Known entries whose count of rejections grew.
    public var recounted: [InboxEntry] = []
    /// To be published; kept until settled.
    public var outcomes = OutcomeBatch()
    /// Decided deliveries in their order.
    public var deliveries: [DecidedDelivery] = []
    /// Fan-outs that wait, each in place of another at its address.
    public var pending: [PendingPush] = []
    /// Addresses at which none waits any more.
    public var noLongerPending: [WidgetAddress] = []
    /// Numbers of earlier commits whose outcomes are confirmed.
    public var settled: [Int64] = []
    /// For each queue: the broker can no longer hand out again its deliveries of commits up to this number. A queue
    /// that is left out has none.
    public var forgottenDeliveries: [Int64] = []

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

/// A delivery that was decided, as it is known again.
public struct DecidedDelivery: Hashable, Sendable {
    public var fingerprint: Fingerprint
    /// `Delivery.queue`.
    public var queue: Int

    public init(_ fingerprint: Fingerprint, queue: Int = 0) {
        self.fingerprint = fingerprint
        self.queue = queue
    }
}

/// What changes whenever a stored widget does.
public struct WidgetVersion: Hashable, Sendable {
    public var revision: Int64
    /// `StoredWidget.pushedAt`.
    public var pushedAt: Int64?

    public init(revision: Int64, pushedAt: Int64?) {
        self.revision = revision
        self.pushedAt = pushedAt
    }
}
