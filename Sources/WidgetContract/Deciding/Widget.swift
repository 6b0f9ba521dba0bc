public import WidgetJSON

/// A widget as it stands after the last accepted message, also when that deleted it.
public struct Widget: Sendable {
    public var address: WidgetAddress
    /// Starts at 1 and grows by one with every accepted message, also across deletions.
    public var revision: Int64
    /// The last producer sequence that was applied.
    public var sequence: Int64?
    /// Milliseconds since 1970.
    public var createdAt: Int64
    /// Milliseconds since 1970.
    public var updatedAt: Int64
    /// `{"name", "content", "push_throttle"?, "stale_after"?}`: what merge patches apply to; `nil` when deleted.
    public var document: Document?

    public init(
        address: WidgetAddress, revision: Int64, sequence: Int64?, createdAt: Int64, updatedAt: Int64,
        document: Document?
    ) {
        self.address = address
        self.revision = revision
        self.sequence = sequence
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.document = document
    }
}
