/// What a message asks for.
public enum CommandKind: String, CaseIterable, Sendable {
    case create = "widget.create"
    case patch = "widget.patch"
    case delete = "widget.delete"
}

/// An update whose bytes were read: what it asks for, and of which widget.
public struct Command: Sendable {
    public var kind: CommandKind
    public var address: WidgetAddress
    /// The producer's own count, when it sent one.
    public var sequence: Int64?

    public init(kind: CommandKind, address: WidgetAddress, sequence: Int64? = nil) {
        self.kind = kind
        self.address = address
        self.sequence = sequence
    }
}
