public import WidgetURL

extension AMQPAddress {
    private static let form = URLForm(
        wanted: "the broker's address is amqp://user:password@host:port/vhost", exampleOfPort: 5672,
        usualPorts: "5672 is usual, 5671 for TLS", secureScheme: "amqps://")

    /// - Throws: `URLError`; its text never holds the password.
    public init(_ text: String) throws(URLError) {
        let (usesTLS, start) = try Self.scheme(of: text)
        let form = Self.form
        let url = try ServiceURL(text, from: start, usesTLS: usesTLS, form)
        security = url.security
        guard url.hosts.count == 1, let host = url.hosts.first else {
            throw form.fault("several hosts", "write an address for each: amqp://one,amqp://two")
        }
        if !host.name.isEmpty { self.host = host.name }
        port = host.port ?? (usesTLS ? 5671 : 5672)
        if let login = url.login {
            user = login.user
            password = login.password ?? ""
        }
        if let path = url.path {
            guard path.count == 1 else {
                throw form.fault("a second / behind the host", "write a / in the virtual host's name as %2f")
            }
            virtualHost = path[0]
        }
        for option in url.options { try set(option) }
        if mechanism == .external, security?.certificateFile == nil {
            throw form.fault("auth_mechanism=external without a certificate", "give certfile and keyfile")
        }
    }

    private static func scheme(of text: String) throws(URLError) -> (usesTLS: Bool, end: String.Index) {
        let scheme = URLForm.scheme(of: text)
        switch scheme {
        case ("amqp", let end)?: return (false, end)
        case ("amqps", let end)?: return (true, end)
        default:
            // In a login without a scheme, :// may be of the password.
            let found = scheme?.name.utf8.allSatisfy(isOfScheme) == true ? scheme?.name.prefix(20) : nil
            throw URLError(
                "a broker's address starts with amqp:// or amqps://, "
                    + (found.map { "found \"\($0)://\"" } ?? "and this one with neither"))
        }
    }

    private mutating func set(_ option: URLOption) throws(URLError) {
        let form = Self.form
        switch option.name {
        case "heartbeat": heartbeat = try form.number(option, 0...65535)
        case "connection_timeout": connectTimeout = max(1, try form.number(option, 1...3_600_000) / 1000)
        case "connection_name": connectionName = option.value
        case "auth_mechanism":
            guard let mechanism = Mechanism(rawValue: option.value.lowercased()) else {
                throw form.fault("auth_mechanism=\(option.value)", "plain and external are the choices")
            }
            self.mechanism = mechanism
        default:
            throw form.unknown(
                option, known: ["heartbeat", "connection_timeout", "connection_name", "auth_mechanism"])
        }
    }

    /// RFC 3986 section 3.1.
    private static func isOfScheme(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"),
            UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
