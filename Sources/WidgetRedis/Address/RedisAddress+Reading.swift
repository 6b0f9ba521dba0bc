public import WidgetURL

extension RedisAddress {
    private static let form = URLForm(
        wanted: "a store's address is redis://user:password@host:port/database", exampleOfPort: 6379,
        usualPorts: "6379 is usual, 26379 for sentinels", secureScheme: "rediss")

    /// - Throws: `URLError`; its text never holds the password.
    public init(_ text: String) throws(URLError) {
        let form = Self.form
        guard let (scheme, start) = URLForm.scheme(of: text) else {
            throw URLError("\(form.wanted), and this one has no ://")
        }
        let usesTLS = scheme.hasPrefix("rediss")
        switch scheme {
        case "redis", "rediss": break
        // The name is in the path, which is read later.
        case "redis+sentinel", "rediss+sentinel": kind = .sentinel(master: "")
        case "redis+cluster", "rediss+cluster": kind = .cluster
        default:
            throw URLError(
                "\(form.wanted), one of redis, redis+sentinel and redis+cluster, or with rediss for TLS")
        }
        let url = try ServiceURL(text, from: start, usesTLS: usesTLS, form)
        security = url.security
        if let login = url.login {
            guard let password = login.password else {
                throw form.fault(
                    "a user without a password", "write user:password@, or :password@ for the default user")
            }
            user = login.user.isEmpty ? nil : login.user
            self.password = password
        }
        guard url.hosts.count == 1 || kind != .server else {
            throw form.fault("several hosts", "redis+sentinel:// and redis+cluster:// have several")
        }
        endpoints = url.hosts.map {
            Endpoint(host: $0.name.isEmpty ? "localhost" : $0.name, port: $0.port ?? standardPort)
        }
        try read(path: url.path ?? [])
        for option in url.options { try set(option) }
    }

    private var standardPort: Int {
        if case .sentinel = kind { 26379 } else { 6379 }
    }

    /// The database, behind the name of a sentinel's master.
    private mutating func read(path: [String]) throws(URLError) {
        var parts = path.filter { !$0.isEmpty }
        if case .sentinel = kind {
            guard !parts.isEmpty else {
                throw Self.form.fault(
                    "no master's name", "write redis+sentinel://host,host/NAME, as SENTINEL MASTERS tells it")
            }
            kind = .sentinel(master: parts.removeFirst())
        }
        guard let text = parts.first else { return }
        guard parts.count == 1, let number = URLForm.number(text) else {
            throw Self.form.fault("a path that is no number of a database", "write /0, or nothing")
        }
        guard number == 0 || kind != .cluster else {
            throw Self.form.fault("the database \(number) of a cluster", "a cluster has only database 0")
        }
        database = number
    }

    private mutating func set(_ option: URLOption) throws(URLError) {
        let form = Self.form
        switch option.name {
        case "prefix":
            guard !option.value.isEmpty, option.value.utf8.allSatisfy(Self.isOfPrefix) else {
                throw form.fault("prefix=\(option.value.prefix(40))", "letters, digits, -, _ and . are wanted")
            }
            prefix = option.value
        // Milliseconds, as in a broker's address. A worker answers its service manager between two attempts.
        case "connection_timeout": connectTimeout = try form.number(option, 1...10_000)
        case "command_timeout": commandTimeout = try form.number(option, 1...10_000)
        default: throw form.unknown(option, known: ["prefix", "connection_timeout", "command_timeout"])
        }
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
