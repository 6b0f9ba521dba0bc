/// How the connections behave, whatever the broker's address.
public struct ConnectionSettings: Sendable {
    /// Shown in the broker's list of connections, when the address gives no name.
    public var name: String
    /// Octets of a message's body that are kept.
    public var maximumBody: Int
    /// Milliseconds that the broker has for an answer.
    public var callTimeout: Int
    public var product: String
    public var version: String

    public init(
        name: String = "widgetd", maximumBody: Int = 256 * 1024, callTimeout: Int = 10_000, product: String = "widgetd",
        version: String = "1"
    ) {
        self.name = name
        self.maximumBody = maximumBody
        self.callTimeout = callTimeout
        self.product = product
        self.version = version
    }

    func named(_ role: String) -> ConnectionSettings {
        var settings = self
        settings.name += " " + role
        return settings
    }
}
