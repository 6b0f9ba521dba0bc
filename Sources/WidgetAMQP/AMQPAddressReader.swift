import WidgetContract

/// Reads an `AMQPAddress`. Whatever could belong to the password stays out of errors.
///
/// Delimiters are looked for among bytes: as a character, one with a combining mark behind it would be another one.
struct AMQPAddressReader {
    private typealias Bytes = Substring.UTF8View

    private var address = AMQPAddress()

    mutating func read(_ text: String) throws(AMQPAddressError) -> AMQPAddress {
        var rest = try readScheme(text)
        if rest.contains(UInt8(ascii: "#")) {
            throw fault("a # was found", "write it as %23, in the password too")
        }
        let (authority, path, query) = Self.split(rest)
        if authority.count(where: { $0 == UInt8(ascii: "@") }) > 1
            || rest[authority.endIndex...].contains(UInt8(ascii: "@"))
        {
            throw fault(
                "more than one @, or one behind a / or ?, was found",
                "write @ as %40, / as %2f and ? as %3f in user and password, and @ as %40 behind the host")
        }
        if let query { try readQuery(query) }
        rest = authority
        if let at = rest.firstIndex(of: UInt8(ascii: "@")) {
            try readUser(rest[..<at])
            rest = rest[rest.index(after: at)...]
        }
        try readHost(rest)
        if let path { try readVirtualHost(path) }
        try checkTogether()
        return address
    }

    /// What stands before the first /, between it and the first ?, and behind that.
    private static func split(_ text: Bytes) -> (authority: Bytes, path: Bytes?, query: Bytes?) {
        let (front, query) = halves(text, at: "?")
        let (authority, path) = halves(front, at: "/")
        return (authority, path, query)
    }

    private static func halves(_ text: Bytes, at delimiter: Unicode.Scalar) -> (Bytes, Bytes?) {
        guard let place = text.firstIndex(of: UInt8(ascii: delimiter)) else { return (text, nil) }
        return (text[..<place], text[text.index(after: place)...])
    }

    private mutating func readScheme(_ text: String) throws(AMQPAddressError) -> Bytes {
        let wanted = "a broker's address starts with amqp:// or amqps://"
        guard let end = text.utf8.firstRange(of: "://".utf8) else {
            throw AMQPAddressError(description: "\(wanted), and this one with neither")
        }
        let scheme = text.utf8[..<end.lowerBound]
        switch String(Substring(scheme)).lowercased() {
        case "amqp": address.usesTLS = false
        case "amqps": address.usesTLS = true
        default:
            // In a login without a scheme, :// may be of the password.
            let found = scheme.allSatisfy(Self.isOfScheme) ? "found \"\(Substring(scheme).prefix(20))://\"" : nil
            throw AMQPAddressError(description: "\(wanted), \(found ?? "and this one with neither")")
        }
        address.port = address.usesTLS ? 5671 : 5672
        return text.utf8[end.upperBound...]
    }

    private mutating func readUser(_ text: Bytes) throws(AMQPAddressError) {
        let (user, password) = Self.halves(text, at: ":")
        address.user = try decode(user, "user")
        address.password = ""
        if let password { address.password = try decode(password, "password") }
    }

    private mutating func readHost(_ text: Bytes) throws(AMQPAddressError) {
        var port: Bytes?
        var host = text
        if text.first == UInt8(ascii: "[") {
            guard let end = text.firstIndex(of: UInt8(ascii: "]")) else {
                throw fault("an IPv6 address without its ]", "write it as [::1]")
            }
            host = text[..<end].dropFirst()
            let behind = text[text.index(after: end)...]
            guard behind.isEmpty || behind.first == UInt8(ascii: ":") else {
                throw fault("something other than a port behind ]", "write [::1]:5672")
            }
            port = behind.isEmpty ? nil : behind.dropFirst()
            guard !host.isEmpty, host.allSatisfy({ Self.isOfIPv6($0) }) else {
                throw fault("something other than an IPv6 address in [ ]", "write it as [::1]")
            }
        } else {
            (host, port) = Self.halves(text, at: ":")
            guard port?.contains(UInt8(ascii: ":")) != true else {
                throw fault("more than one colon in host and port", "put an IPv6 address in brackets: [::1]:5672")
            }
        }
        let decoded = try decode(host, "host")
        if !decoded.isEmpty {
            guard decoded.utf8.allSatisfy({ Self.isOfHost($0) }) else {
                throw fault("a host with a character that no host name has", "check it, and encode user and password")
            }
            address.host = decoded
        }
        if let port, !port.isEmpty {
            guard let number = Self.number(Substring(port)), 1...65535 ~= number else {
                throw fault("a port that is no number from 1 to 65535", "5672 is usual, 5671 for TLS")
            }
            address.port = number
        }
    }

    private mutating func readVirtualHost(_ text: Bytes) throws(AMQPAddressError) {
        guard !text.contains(UInt8(ascii: "/")) else {
            throw fault("a second / behind the host", "write a / in the virtual host's name as %2f")
        }
        address.virtualHost = try decode(text, "virtual host")
    }

    private mutating func readQuery(_ text: Bytes) throws(AMQPAddressError) {
        for part in text.split(separator: UInt8(ascii: "&")) {
            guard case (let name, let value?) = Self.halves(part, at: "=") else {
                throw fault("an option without =", "write name=value")
            }
            try set(try decode(name, "option"), try decode(value, "value of an option"))
        }
    }

    private mutating func set(_ name: String, _ value: String) throws(AMQPAddressError) {
        switch name {
        case "heartbeat": address.heartbeat = try number(value, name, 0...65535)
        case "connection_timeout": address.connectTimeout = max(1, try number(value, name, 1...3_600_000) / 1000)
        case "connection_name": address.connectionName = value
        case "cacertfile": address.authoritiesFile = value
        case "certfile": address.certificateFile = value
        case "keyfile": address.keyFile = value
        case "server_name_indication": address.verifyName = value
        case "verify":
            guard value == "verify_peer" else {
                throw fault("verify=\(value)", "a certificate is always verified: verify_peer is the only choice")
            }
        case "auth_mechanism":
            guard let mechanism = AMQPAddress.Mechanism(rawValue: value.lowercased()) else {
                throw fault("auth_mechanism=\(value)", "plain and external are the choices")
            }
            address.mechanism = mechanism
        default:
            throw fault(
                "the unknown option \(name.prefix(40))",
                "known are heartbeat, connection_timeout, connection_name, auth_mechanism, cacertfile, certfile, keyfile, "
                    + "verify, server_name_indication")
        }
    }

    private func checkTogether() throws(AMQPAddressError) {
        let ofTLS = [address.authoritiesFile, address.certificateFile, address.keyFile, address.verifyName]
        if !address.usesTLS, ofTLS.contains(where: { $0 != nil }) {
            throw fault("an option of TLS in an address without TLS", "start it with amqps://")
        }
        if (address.certificateFile == nil) != (address.keyFile == nil) {
            throw fault("only one of certfile and keyfile", "give both")
        }
        if address.mechanism == .external, address.certificateFile == nil {
            throw fault("auth_mechanism=external without a certificate", "give certfile and keyfile")
        }
    }

    private func number(
        _ text: String, _ name: String, _ range: ClosedRange<Int>
    ) throws(AMQPAddressError) -> Int {
        guard let number = Self.number(text), range ~= number else {
            throw fault(
                "\(name)=\(text.prefix(20))", "a number from \(range.lowerBound) to \(range.upperBound) is wanted")
        }
        return number
    }

    private func decode(_ text: Bytes, _ part: String) throws(AMQPAddressError) -> String {
        do {
            return try PercentDecoding.decode(text)
        } catch .broken {
            throw fault("a % without two hexadecimal digits in the \(part)", "write a % itself as %25")
        } catch {
            throw fault("bytes that are no text (UTF-8, no NUL) in the \(part)", "check what is encoded there")
        }
    }

    private func fault(_ found: String, _ advice: String) -> AMQPAddressError {
        AMQPAddressError(
            description: "the broker's address is amqp://user:password@host:port/vhost, found \(found): \(advice)")
    }

    private static func number(_ text: some StringProtocol) -> Int? {
        text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? Int(text) : nil
    }

    /// RFC 3986 section 3.1.
    private static func isOfScheme(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    private static func isOfHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: ":"), UInt8(ascii: "%"):
            true
        default: byte >= 0x80
        }
    }

    private static func isOfIPv6(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ":") || byte == UInt8(ascii: "%") || (isOfHost(byte) && byte < 0x80)
    }
}
