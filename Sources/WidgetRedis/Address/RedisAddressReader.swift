import WidgetContract

/// Reads a `RedisAddress`. Whatever could belong to the password stays out of errors.
///
/// Delimiters are looked for among bytes: as a character, one with a combining mark behind it would be another one.
struct RedisAddressReader {
    private typealias Bytes = Substring.UTF8View

    private var address = RedisAddress()

    mutating func read(_ text: String) throws(RedisAddressError) -> RedisAddress {
        let rest = try readScheme(text)
        if rest.contains(UInt8(ascii: "#")) {
            throw fault("a # was found", "write it as %23, in the password too")
        }
        let (front, query) = Self.halves(rest, at: "?")
        var (authority, path) = Self.halves(front, at: "/")
        if authority.count(where: { $0 == UInt8(ascii: "@") }) > 1
            || rest[authority.endIndex...].contains(UInt8(ascii: "@"))
        {
            throw fault(
                "more than one @, or one behind a / or ?, was found",
                "write @ as %40, / as %2f and ? as %3f in user and password")
        }
        if let at = authority.firstIndex(of: UInt8(ascii: "@")) {
            try readLogin(authority[..<at])
            authority = authority[authority.index(after: at)...]
        }
        try readHosts(authority)
        try readPath(path)
        if let query { try readQuery(query) }
        try checkTogether()
        return address
    }

    private static func halves(_ text: Bytes, at delimiter: Unicode.Scalar) -> (Bytes, Bytes?) {
        guard let place = text.firstIndex(of: UInt8(ascii: delimiter)) else { return (text, nil) }
        return (text[..<place], text[text.index(after: place)...])
    }

    private mutating func readScheme(_ text: String) throws(RedisAddressError) -> Bytes {
        guard let end = text.utf8.firstRange(of: "://".utf8) else {
            throw RedisAddressError(description: "\(Self.wanted), and this one has no ://")
        }
        var scheme = String(Substring(text.utf8[..<end.lowerBound])).lowercased()
        if scheme.hasPrefix("rediss") {
            address.security = TLSSettings()
            scheme.remove(at: scheme.index(scheme.startIndex, offsetBy: 5))
        }
        switch scheme {
        case "redis": break
        // The name is in the path, which is read later.
        case "redis+sentinel": address.kind = .sentinel(master: "")
        case "redis+cluster": address.kind = .cluster
        default:
            throw RedisAddressError(
                description: "\(Self.wanted), one of redis, redis+sentinel and redis+cluster, or with rediss for TLS")
        }
        return text.utf8[end.upperBound...]
    }

    private mutating func readLogin(_ text: Bytes) throws(RedisAddressError) {
        guard case (let user, let password?) = Self.halves(text, at: ":") else {
            throw fault("a user without a password", "write user:password@, or :password@ for the default user")
        }
        let name = try decode(user, "user")
        address.user = name.isEmpty ? nil : name
        address.password = try decode(password, "password")
    }

    private mutating func readHosts(_ text: Bytes) throws(RedisAddressError) {
        let parts = text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard parts.count == 1 || address.kind != .server else {
            throw fault("several hosts", "redis+sentinel:// and redis+cluster:// have several")
        }
        var endpoints: [Endpoint] = []
        for part in parts { endpoints.append(try endpoint(part)) }
        address.endpoints = endpoints
    }

    private func endpoint(_ text: Bytes) throws(RedisAddressError) -> Endpoint {
        var (host, port) = Self.halves(text, at: ":")
        if text.first == UInt8(ascii: "[") {
            guard let end = text.firstIndex(of: UInt8(ascii: "]")) else {
                throw fault("an IPv6 address without its ]", "write it as [::1]")
            }
            host = text[..<end].dropFirst()
            let behind = text[text.index(after: end)...]
            guard behind.isEmpty || behind.first == UInt8(ascii: ":") else {
                throw fault("something other than a port behind ]", "write [::1]:6379")
            }
            port = behind.isEmpty ? nil : behind.dropFirst()
        } else if port?.contains(UInt8(ascii: ":")) == true {
            throw fault("more than one colon in host and port", "put an IPv6 address in brackets: [::1]:6379")
        }
        let name = try decode(host, "host")
        guard name.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") }) else {
            throw fault("a host with a character that no host name has", "check it, and encode user and password")
        }
        var number = address.standardPort
        if let port, !port.isEmpty {
            guard let given = Self.number(Substring(port)), 1...65535 ~= given else {
                throw fault("a port that is no number from 1 to 65535", "\(number) is usual")
            }
            number = given
        }
        return Endpoint(host: name.isEmpty ? "localhost" : name, port: number)
    }

    /// The database, behind the name of a sentinel's master.
    private mutating func readPath(_ path: Bytes?) throws(RedisAddressError) {
        var parts: [String] = []
        for part in path?.split(separator: UInt8(ascii: "/")) ?? [] { parts.append(try decode(part, "path")) }
        if case .sentinel = address.kind {
            guard !parts.isEmpty else {
                throw fault("no master's name", "write redis+sentinel://host,host/NAME, as SENTINEL MASTERS tells it")
            }
            address.kind = .sentinel(master: parts.removeFirst())
        }
        guard let text = parts.first else { return }
        guard parts.count == 1, let number = Self.number(text) else {
            throw fault("a path that is no number of a database", "write /0, or nothing")
        }
        guard number == 0 || address.kind != .cluster else {
            throw fault("the database \(number) of a cluster", "a cluster has only database 0")
        }
        address.database = number
    }

    private mutating func readQuery(_ text: Bytes) throws(RedisAddressError) {
        for part in text.split(separator: UInt8(ascii: "&")) {
            guard case (let name, let value?) = Self.halves(part, at: "=") else {
                throw fault("an option without =", "write name=value")
            }
            try set(try decode(name, "option"), try decode(value, "value of an option"))
        }
    }

    private mutating func set(_ name: String, _ value: String) throws(RedisAddressError) {
        switch name {
        case "prefix":
            guard !value.isEmpty, value.utf8.allSatisfy(Self.isOfPrefix) else {
                throw fault("prefix=\(value.prefix(40))", "letters, digits, -, _ and . are wanted")
            }
            address.prefix = value
        // Milliseconds, as in a broker's address. A worker answers its service manager between two attempts.
        case "connection_timeout": address.connectTimeout = try number(value, name, 1...10_000)
        case "command_timeout": address.commandTimeout = try number(value, name, 1...10_000)
        case "cacertfile": address.security?.authoritiesFile = value
        case "certfile": address.security?.certificateFile = value
        case "keyfile": address.security?.keyFile = value
        case "server_name_indication": address.security?.verifyName = value
        case "verify":
            guard value == "verify_peer" else {
                throw fault("verify=\(value)", "a certificate is always verified: verify_peer is the only choice")
            }
        default:
            throw fault(
                "the unknown option \(name.prefix(40))",
                "known are prefix, connection_timeout, command_timeout, cacertfile, certfile, keyfile, verify,"
                    + " server_name_indication")
        }
        if Self.optionsOfTLS.contains(name), address.security == nil {
            throw fault("an option of TLS in an address without TLS", "start it with rediss")
        }
    }

    private static let optionsOfTLS = ["cacertfile", "certfile", "keyfile", "verify", "server_name_indication"]

    private func checkTogether() throws(RedisAddressError) {
        if (address.security?.certificateFile == nil) != (address.security?.keyFile == nil) {
            throw fault("only one of certfile and keyfile", "give both")
        }
    }

    private func number(
        _ text: String, _ name: String, _ range: ClosedRange<Int>
    ) throws(RedisAddressError) -> Int {
        guard let number = Self.number(text), range ~= number else {
            throw fault(
                "\(name)=\(text.prefix(20))", "a number from \(range.lowerBound) to \(range.upperBound) is wanted")
        }
        return number
    }

    private func decode(_ text: Bytes, _ part: String) throws(RedisAddressError) -> String {
        do {
            return try PercentDecoding.decode(text)
        } catch .broken {
            throw fault("a % without two hexadecimal digits in the \(part)", "write a % itself as %25")
        } catch {
            throw fault("bytes that are no text (UTF-8, no NUL) in the \(part)", "check what is encoded there")
        }
    }

    private static let wanted = "a store's address is redis://user:password@host:port/database"

    private func fault(_ found: String, _ advice: String) -> RedisAddressError {
        RedisAddressError(description: "\(Self.wanted), found \(found): \(advice)")
    }

    private static func number(_ text: some StringProtocol) -> Int? {
        text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? Int(text) : nil
    }

    private static func isOfPrefix(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

extension RedisAddress {
    fileprivate var standardPort: Int {
        if case .sentinel = kind { 26379 } else { 6379 }
    }
}
