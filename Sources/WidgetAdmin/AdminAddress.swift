/// Where the admin address listens.
public struct AdminAddress: Equatable, Sendable {
    /// A name or a number; an IPv6 address without its brackets.
    public let host: String
    /// 0 for one of the system's choice.
    public let port: UInt16

    /// `ADDRESS:PORT`; `nil` when it is none.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty else { return nil }
        self.host = String(host)
        self.port = port
    }

    /// Only programs of this machine reach it.
    public var isLoopback: Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." }
    }
}
