/// What a worker accepts and assumes, beyond the contract.
public struct MessageLimits: Sendable {
    /// Most bytes of a body, plain or inflated. A document's nodes hold offsets up to 1 MiB, and a merged widget may be
    /// a legal stored one and a whole body.
    public var largestBody = 256 * 1024
    /// Arrays and objects inside each other.
    public var deepest = 32
    /// Widgets an account may have; 0 for any number.
    public var mostWidgets = 50
    /// The account of a message through the default exchange that names none.
    public var defaultAccount = "default"
    /// The broker-verified `user_id` must be the account.
    public var bindsAccountToUser = false

    public init() {}

    /// `largestBody` may be set up to this many bytes.
    public static let largestConfigurableBody = 512 * 1024
}
