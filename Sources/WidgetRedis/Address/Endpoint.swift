/// A host and a port, as they are dialled.
public struct Endpoint: Hashable, Sendable, CustomStringConvertible {
    /// A name, or an address; an IPv6 address without its brackets.
    public var host: String
    public var port: Int

    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    public var description: String {
        host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    /// As a `MOVED` names it: an IPv6 address has no brackets there. The host is empty when it is the one that was asked.
    init?(moved text: some StringProtocol) {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]) else { return nil }
        self.init(host: String(text[..<colon]), port: port)
    }
}
