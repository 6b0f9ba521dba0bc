/// An address of a service, taken apart and decoded (RFC 3986): `//user:password@host:port,…/path?name=value&…`.
///
/// Delimiters are looked for among bytes: as a character, one with a combining mark behind it would be another one.
public struct ServiceURL {
    private typealias Bytes = Substring.UTF8View

    public struct Login {
        public let user: String
        /// `nil` without a colon.
        public fileprivate(set) var password: String?
    }

    public struct Host {
        /// A name or an address, an IPv6 address without its brackets; empty where none is written.
        public let name: String
        public let port: Int?
    }

    public private(set) var login: Login?
    /// At least one.
    public private(set) var hosts: [Host] = []
    /// What stands between slashes; `nil` without one.
    public private(set) var path: [String]?
    /// Those that are none of TLS.
    public private(set) var options: [URLOption] = []
    /// Set where `usesTLS` is.
    public private(set) var security: TLSSettings?

    private let form: URLForm

    /// - Parameters:
    ///   - text: the whole address.
    ///   - start: behind `://`.
    ///   - usesTLS: the scheme says so.
    public init(_ text: String, from start: String.Index, usesTLS: Bool, _ form: URLForm) throws(URLError) {
        self.form = form
        if usesTLS { security = TLSSettings() }
        let rest = text.utf8[start...]
        if rest.contains(UInt8(ascii: "#")) {
            throw form.fault("a # was found", "write it as %23, in the password too")
        }
        let (front, query) = Self.halves(rest, at: "?")
        var (authority, path) = Self.halves(front, at: "/")
        if authority.count(where: { $0 == UInt8(ascii: "@") }) > 1
            || rest[authority.endIndex...].contains(UInt8(ascii: "@"))
        {
            throw form.fault(
                "more than one @, or one behind a / or ?, was found",
                "write @ as %40, / as %2f and ? as %3f in user and password, and @ as %40 behind the host")
        }
        if let at = authority.firstIndex(of: UInt8(ascii: "@")) {
            try readLogin(authority[..<at])
            authority = authority[authority.index(after: at)...]
        }
        for host in authority.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            hosts.append(try self.host(host))
        }
        if let path {
            var segments: [String] = []
            for segment in path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
                segments.append(try decode(segment, "path"))
            }
            self.path = segments
        }
        if let query { try readQuery(query) }
    }

    private static func halves(_ text: Bytes, at delimiter: Unicode.Scalar) -> (Bytes, Bytes?) {
        guard let place = text.firstIndex(of: UInt8(ascii: delimiter)) else { return (text, nil) }
        return (text[..<place], text[text.index(after: place)...])
    }

    private mutating func readLogin(_ text: Bytes) throws(URLError) {
        let (user, password) = Self.halves(text, at: ":")
        var login = Login(user: try decode(user, "user"), password: nil)
        if let password { login.password = try decode(password, "password") }
        self.login = login
    }

    private func host(_ text: Bytes) throws(URLError) -> Host {
        var (host, port) = Self.halves(text, at: ":")
        if text.first == UInt8(ascii: "[") {
            guard let end = text.firstIndex(of: UInt8(ascii: "]")) else {
                throw form.fault("an IPv6 address without its ]", "write it as [::1]")
            }
            host = text[..<end].dropFirst()
            let behind = text[text.index(after: end)...]
            guard behind.isEmpty || behind.first == UInt8(ascii: ":") else {
                throw form.fault("something other than a port behind ]", "write [::1]:\(form.exampleOfPort)")
            }
            port = behind.isEmpty ? nil : behind.dropFirst()
            guard !host.isEmpty, host.allSatisfy({ $0 < 0x80 && Self.isOfHost($0) }) else {
                throw form.fault("something other than an IPv6 address in [ ]", "write it as [::1]")
            }
        } else if port?.contains(UInt8(ascii: ":")) == true {
            throw form.fault(
                "more than one colon in host and port",
                "put an IPv6 address in brackets: [::1]:\(form.exampleOfPort)")
        }
        let name = try decode(host, "host")
        guard name.utf8.allSatisfy(Self.isOfHost) else {
            throw form.fault("a host with a character that no host name has", "check it, and encode user and password")
        }
        guard let port, !port.isEmpty else { return Host(name: name, port: nil) }
        guard let number = URLForm.number(Substring(port)), 1...65535 ~= number else {
            throw form.fault("a port that is no number from 1 to 65535", form.usualPorts)
        }
        return Host(name: name, port: number)
    }

    private mutating func readQuery(_ text: Bytes) throws(URLError) {
        for part in text.split(separator: UInt8(ascii: "&")) {
            guard case (let name, let value?) = Self.halves(part, at: "=") else {
                throw form.fault("an option without =", "write name=value")
            }
            let option = URLOption(name: try decode(name, "option"), value: try decode(value, "value of an option"))
            if TLSSettings.options.contains(option.name) {
                var settings = security ?? TLSSettings()
                try settings.set(option, form)
                guard security != nil else {
                    throw form.fault("an option of TLS in an address without TLS", "start it with \(form.secureScheme)")
                }
                security = settings
            } else {
                options.append(option)
            }
        }
        if (security?.certificateFile == nil) != (security?.keyFile == nil) {
            throw form.fault("only one of certfile and keyfile", "give both")
        }
    }

    private func decode(_ text: Bytes, _ part: String) throws(URLError) -> String {
        do {
            return try PercentDecoding.decode(text)
        } catch .broken {
            throw form.fault("a % without two hexadecimal digits in the \(part)", "write a % itself as %25")
        } catch {
            throw form.fault("bytes that are no text (UTF-8, no NUL) in the \(part)", "check what is encoded there")
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
}
