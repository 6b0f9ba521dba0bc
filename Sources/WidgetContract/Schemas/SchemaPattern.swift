/// Regular expressions of ECMA-262 in the subset that other dialects share: no look-around, no classes by name.
enum SchemaPattern {
    /// The whole string matches.
    ///
    /// Dialects that let `$` stand before a last line feed (Python's, for one) need the second half.
    static func whole(_ expression: String) -> SchemaValue {
        ["type": "string", "pattern": "^(?:\(expression))$", "not": ["pattern": "\\n"]]
    }

    /// One of the words, letters of any case.
    static func anyCase(_ words: [String]) -> String {
        words.map { word in
            word.map { $0.isLetter ? "[\($0.uppercased())\($0.lowercased())]" : String($0) }.joined()
        }.joined(separator: "|")
    }

    static let account = whole(AddressPattern.account.expression)
    static let slug = whole(AddressPattern.slug.expression)

    // MARK: What the checks ask, character by character

    /// A character that is no white space.
    static let notBlank = "[^\(whiteSpace)]"

    /// What no URL holds.
    static let gap = "[\(characters(\.isGap))]"

    /// What no name of a header holds.
    static let noToken = "[^\(characters { $0.isASCII && HeaderCheck.isToken(Array(String($0).utf8)) })]"

    /// What no value of a header holds.
    static let noHeaderValue = "[\(characters { $0.isASCII && !HeaderCheck.isValue(Array(String($0).utf8)) })]"

    private static let whiteSpace = characters(\.properties.isWhitespace)

    /// The inside of a class of those characters; all that the contract tells apart stand in the first plane.
    private static func characters(_ isWanted: (Unicode.Scalar) -> Bool) -> String {
        var ranges: [ClosedRange<UInt32>] = []
        for code in UInt32(0)...0xFFFF {
            guard let scalar = Unicode.Scalar(code), isWanted(scalar) else { continue }
            if let last = ranges.last, last.upperBound + 1 == code {
                ranges[ranges.count - 1] = last.lowerBound...code
            } else {
                ranges.append(code...code)
            }
        }
        return ranges.map { range in
            let (first, last) = (escaped(range.lowerBound), escaped(range.upperBound))
            return range.count == 1 ? first : "\(first)\(range.count == 2 ? "" : "-")\(last)"
        }.joined()
    }

    private static func escaped(_ code: UInt32) -> String {
        if let scalar = Unicode.Scalar(code), scalar.isASCII, Character(scalar).isLetter || Character(scalar).isNumber {
            return String(scalar)
        }
        let digits = String(code, radix: 16, uppercase: true)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }

    // MARK: Dates

    /// `date "T" time offset` of RFC 3339 section 5.6, the calendar included, second 60 left out.
    static let dateTime = "(?:\(date))[Tt]\(hour):\(sixtieth):\(sixtieth)(?:\\.[0-9]+)?(?:[Zz]|[+-]\(hour):\(sixtieth))"

    /// The one form in which outcomes write times.
    static let outcomeTime = "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z"

    private static let date =
        "[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)"
        + "|02-(?:0[1-9]|1[0-9]|2[0-8]))"
        + "|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29"
    private static let hour = "(?:[01][0-9]|2[0-3])"
    private static let sixtieth = "[0-5][0-9]"

    // MARK: URLs

    /// RFC 3986 section 3.1.
    static let scheme = "^[A-Za-z][A-Za-z0-9+.-]*:"
    static let httpScheme = "^(?:\(anyCase(["http", "https"]))):"

    /// An HTTP URL whose authority has a host between user information and port.
    static let httpHost = httpScheme + "//(?:[^/?#\\\\]*@)?[^/?#\\\\:@][^/?#\\\\@]*(?:[/?#\\\\]|$)"
}
