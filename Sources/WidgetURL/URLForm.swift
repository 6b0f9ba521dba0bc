/// How the addresses of one kind of service are written, for what errors say. No error holds what may be a password.
public struct URLForm: Sendable {
    /// What every error begins with.
    public let wanted: String
    let exampleOfPort: Int
    let usualPorts: String
    let secureScheme: String

    /// - Parameters:
    ///   - wanted: a sentence, such as "a store's address is redis://host:port/database".
    ///   - exampleOfPort: stands in examples.
    ///   - usualPorts: such as "6379 is usual".
    ///   - secureScheme: what an address with TLS begins with.
    public init(wanted: String, exampleOfPort: Int, usualPorts: String, secureScheme: String) {
        self.wanted = wanted
        self.exampleOfPort = exampleOfPort
        self.usualPorts = usualPorts
        self.secureScheme = secureScheme
    }

    /// The scheme in small letters, and the index behind its `://`; `nil` without one.
    public static func scheme(of text: String) -> (name: String, end: String.Index)? {
        text.utf8.firstRange(of: "://".utf8).map {
            (String(Substring(text.utf8[..<$0.lowerBound])).lowercased(), $0.upperBound)
        }
    }

    public func fault(_ found: String, _ advice: String) -> URLError {
        URLError("\(wanted), found \(found): \(advice)")
    }

    /// The value of an option that is a number.
    public func number(_ option: URLOption, _ range: ClosedRange<Int>) throws(URLError) -> Int {
        guard let number = Self.number(option.value), range ~= number else {
            throw fault(
                "\(option.name)=\(option.value.prefix(20))",
                "a number from \(range.lowerBound) to \(range.upperBound) is wanted")
        }
        return number
    }

    /// For an option that is not among the ones an address of this kind has.
    public func unknown(_ option: URLOption, known: [String]) -> URLError {
        fault(
            "the unknown option \(option.name.prefix(40))",
            "known are \((known + TLSSettings.options).joined(separator: ", "))")
    }

    /// Digits alone; no sign, no space.
    public static func number(_ text: some StringProtocol) -> Int? {
        text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? Int(text) : nil
    }
}

/// `name=value`, decoded.
public struct URLOption: Equatable, Sendable {
    public let name: String
    public let value: String
}

/// Why a text is no address. Says what was wanted and found; holds no password.
public struct URLError: Error, CustomStringConvertible, Equatable {
    public let description: String

    public init(_ description: String) {
        self.description = description
    }
}
