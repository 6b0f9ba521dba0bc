public import WidgetContract

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

/// A commit to a shared store was refused as a whole, since another worker was there first. What it was decided on is
/// old: it is looked up and decided again.
public struct LostComparison: Error {
    /// Of widgets that are not as `StoreChanges.replaced` says.
    public var addresses: [WidgetAddress]
    /// Of queues that another worker has taken over: their deliveries are its, now.
    public var queues: [Int]

    public init(addresses: [WidgetAddress] = [], queues: [Int] = []) {
        self.addresses = addresses
        self.queues = queues
    }
}
