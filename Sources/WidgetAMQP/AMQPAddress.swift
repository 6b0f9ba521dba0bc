public import WidgetURL

/// Where a broker is and how to log in: `amqp://user:password@host:port/vhost?…`, or `amqps://` for TLS.
///
/// Rules: https://www.rabbitmq.com/docs/uri-spec and https://www.rabbitmq.com/docs/uri-query-parameters.
public struct AMQPAddress: Equatable, Sendable {
    public enum Mechanism: String, Sendable {
        /// User and password.
        case plain
        /// The client certificate.
        case external
    }

    /// A name, or an address; an IPv6 address without its brackets.
    public var host = "localhost"
    public var port = 5672
    public var user = "guest"
    public var password = "guest"
    public var virtualHost = "/"
    /// Seconds; 0 for none.
    public var heartbeat = 15
    public var connectionName: String?
    /// Seconds for the connection and for the login, each.
    public var connectTimeout = 10
    public var mechanism = Mechanism.plain
    /// Set for TLS.
    public var security: TLSSettings?

    /// `localhost` with the defaults.
    public init() {}

    /// Addresses separated by commas, to be tried in turn.
    public static func list(_ text: String) throws(URLError) -> [AMQPAddress] {
        var addresses: [AMQPAddress] = []
        for part in split(text) {
            addresses.append(try AMQPAddress(part))
        }
        return addresses
    }

    /// A comma is legal inside an address too, so only one in front of a scheme separates.
    private static func split(_ text: String) -> [String] {
        var parts: [String] = []
        for piece in text.split(separator: ",", omittingEmptySubsequences: false) {
            let trimmed = piece.drop { $0 == " " }
            if parts.isEmpty || trimmed.lowercased().hasPrefix("amqp://") || trimmed.lowercased().hasPrefix("amqps://")
            {
                parts.append(String(trimmed))
            } else {
                parts[parts.count - 1] += "," + piece
            }
        }
        return parts
    }

    /// Host and port as they are dialled.
    public var endpoint: String { endpoint(host) }

    /// Who logs in: the user, or the file of the certificate that says who.
    var identity: String {
        switch mechanism {
        case .plain: user
        case .external: security?.certificateFile ?? "nobody"
        }
    }

    private func endpoint(_ host: String) -> String {
        host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}

extension AMQPAddress: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// As it is written, without the password and the options.
    public var description: String {
        let scheme = security != nil ? "amqps" : "amqp"
        let endpoint = endpoint(Self.encoded(host, keeping: ":"))
        return "\(scheme)://\(Self.encoded(user))@\(endpoint)/\(Self.encoded(virtualHost))"
    }

    public var debugDescription: String { description }

    public var customMirror: Mirror { Mirror(self, children: ["address": description]) }

    /// RFC 3986 section 2.1.
    private static func encoded(_ text: String, keeping kept: Unicode.Scalar? = nil) -> String {
        text.utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            return isUnreserved(byte) || scalar == kept ? String(scalar) : "%" + hexadecimal(byte)
        }.joined()
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
}
