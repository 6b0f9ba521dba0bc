/// Reads an `AMQPAddress`. Whatever could belong to the password stays out of errors.
struct AMQPAddressReader {
    private var address = AMQPAddress()

    mutating func read(_ text: String) throws(AMQPAddressError) -> AMQPAddress {
        var rest = try readScheme(text)
        if rest.contains("#") {
            throw fault("a # was found", "write it as %23, in the password too")
        }
        if let mark = rest.firstIndex(of: "?") {
            try readQuery(rest[rest.index(after: mark)...])
            rest = rest[..<mark]
        }
        var path: Substring?
        if let slash = rest.firstIndex(of: "/") {
            path = rest[rest.index(after: slash)...]
            rest = rest[..<slash]
        }
        if rest.count(where: { $0 == "@" }) > 1 || path?.contains("@") == true {
            throw fault(
                "more than one @, or one behind a /, was found", "write @ as %40 and / as %2f in user and password")
        }
        if let at = rest.firstIndex(of: "@") {
            try readUser(rest[..<at])
            rest = rest[rest.index(after: at)...]
        }
        try readHost(rest)
        if let path { try readVirtualHost(path) }
        try checkTogether()
        return address
    }

    private mutating func readScheme(_ text: String) throws(AMQPAddressError) -> Substring {
        guard let end = text.firstRange(of: "://") else {
            throw AMQPAddressError(
                description: "a broker's address starts with amqp:// or amqps://, and this one with neither")
        }
        switch text[..<end.lowerBound].lowercased() {
        case "amqp": address.usesTLS = false
        case "amqps": address.usesTLS = true
        default:
            throw AMQPAddressError(
                description: "a broker's address starts with amqp:// or amqps://, found "
                    + "\"\(text[..<end.lowerBound].prefix(20))://\"")
        }
        address.port = address.usesTLS ? 5671 : 5672
        return text[end.upperBound...]
    }

    private mutating func readUser(_ text: Substring) throws(AMQPAddressError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        address.user = try decode(parts[0], "user")
        address.password = parts.count > 1 ? try decode(parts[1], "password") : ""
    }

    private mutating func readHost(_ text: Substring) throws(AMQPAddressError) {
        var port: Substring?
        var host = text
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else {
                throw fault("an IPv6 address without its ]", "write it as [::1]")
            }
            host = text[text.index(after: text.startIndex)..<end]
            let behind = text[text.index(after: end)...]
            guard behind.isEmpty || behind.hasPrefix(":") else {
                throw fault("something other than a port behind ]", "write [::1]:5672")
            }
            port = behind.isEmpty ? nil : behind.dropFirst()
            guard !host.isEmpty, host.utf8.allSatisfy({ Self.isOfIPv6($0) }) else {
                throw fault("something other than an IPv6 address in [ ]", "write it as [::1]")
            }
        } else {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count <= 2 else {
                throw fault("more than one colon in host and port", "put an IPv6 address in brackets: [::1]:5672")
            }
            host = parts[0]
            port = parts.count == 2 ? parts[1] : nil
        }
        let decoded = try decode(host, "host")
        if !decoded.isEmpty {
            guard decoded.utf8.allSatisfy({ Self.isOfHost($0) }) else {
                throw fault("a host with a character that no host name has", "check it, and encode user and password")
            }
            address.host = decoded
        }
        if let port, !port.isEmpty {
            guard let number = Self.number(port), 1...65535 ~= number else {
                throw fault("a port that is no number from 1 to 65535", "5672 is usual, 5671 for TLS")
            }
            address.port = number
        }
    }

    private mutating func readVirtualHost(_ text: Substring) throws(AMQPAddressError) {
        guard !text.contains("/") else {
            throw fault("a second / behind the host", "write a / in the virtual host's name as %2f")
        }
        address.virtualHost = try decode(text, "virtual host")
    }

    private mutating func readQuery(_ text: Substring) throws(AMQPAddressError) {
        for part in text.split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2 else {
                throw fault("an option without =", "write name=value")
            }
            let name = try decode(pair[0], "option")
            try set(name, try decode(pair[1], "value of an option"))
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

    private func decode(_ text: Substring, _ part: String) throws(AMQPAddressError) -> String {
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
