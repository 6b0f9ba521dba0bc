/// URLs of actions: RFC 3986 as far as the contract asks.
enum URLCheck {
    /// What is wrong with a URL that is not blank.
    static func faults(_ text: String) -> [(RuleWord, String)] {
        var faults: [(RuleWord, String)] = []
        if text.unicodeScalars.contains(where: \.isGap) {
            faults.append((.url, "must hold no white space or control characters"))
        }
        guard let scheme = scheme(of: text) else {
            return faults + [(.url, "must begin with a scheme such as https:")]
        }
        if ValueRule.forbiddenSchemes.contains(scheme) {
            faults.append((.urlScheme, "must not have the scheme \(scheme)"))
        } else if ValueRule.requestSchemes.contains(scheme),
            !hasHost(text.utf8.dropFirst(scheme.utf8.count + 1))
        {
            faults.append((.urlHost, "must name a host"))
        }
        return faults
    }

    /// The scheme in lower case (RFC 3986 section 3.1). Bytes are compared: a combining mark belongs to no delimiter.
    static func scheme(of text: String) -> String? {
        guard let colon = text.utf8.firstIndex(of: 0x3A) else { return nil }
        let scheme = text.utf8[..<colon].map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        guard let first = scheme.first, (0x61...0x7A).contains(first),
            scheme.allSatisfy({
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0)
            })
        else { return nil }
        return String(decoding: scheme, as: UTF8.self)
    }

    /// The authority's host, between user information and port, is not empty.
    private static func hasHost(_ rest: Substring.UTF8View) -> Bool {
        guard rest.starts(with: "//".utf8) else { return false }
        let authority = rest.dropFirst(2).prefix { !"/?#\\".utf8.contains($0) }
        let host = authority.lastIndex(of: 0x40).map { authority[authority.index(after: $0)...] } ?? authority
        return !host.isEmpty && host.first != 0x3A
    }
}

extension Unicode.Scalar {
    /// White space or a control character (category Cc). ASCII is told by its number: to look a scalar up in Unicode's
    /// tables takes as long as to read forty bytes.
    var isGap: Bool {
        isASCII ? value <= 0x20 || value == 0x7F : properties.isWhitespace || properties.generalCategory == .control
    }
}

/// HTTP header fields of actions (RFC 9110 section 5).
enum HeaderCheck {
    private static let symbols = Array("!#$%&'*+-.^_`|~".utf8)

    static func isToken(_ bytes: [UInt8]) -> Bool {
        !bytes.isEmpty
            && bytes.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF) && $0 < 0x80 || symbols.contains($0)
            }
    }

    static func isValue(_ bytes: [UInt8]) -> Bool {
        bytes.allSatisfy { $0 != 0x0D && $0 != 0x0A && $0 != 0x00 }
    }
}
