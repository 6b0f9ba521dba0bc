/// Reads JSON5 (https://spec.json5.org) and keeps the place of everything, so that a message can point at it. JSON is
/// a part of JSON5, so it finds places in JSON, too. A name that stands twice in one object is a fault.
struct JSON5Reader {
    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0

    /// Arrays and objects inside each other.
    private static let deepest = 64

    static func read(_ bytes: [UInt8]) throws(JSON5Fault) -> JSON5Value {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw JSON5Fault(message: "the text is not UTF-8", offset: 0)
        }
        var reader = JSON5Reader(bytes: bytes)
        try reader.skipSpace()
        let value = try reader.value()
        try reader.skipSpace()
        guard reader.position == bytes.count else { throw reader.fault("something follows the value") }
        return value
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func fault(_ message: String, at offset: Int? = nil) -> JSON5Fault {
        JSON5Fault(message: message, offset: offset ?? position)
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// The code point here; the text is known to be UTF-8.
    private var scalar: Unicode.Scalar? {
        guard let next else { return nil }
        if next < 0x80 { return Unicode.Scalar(next) }
        return String(decoding: bytes[position..<min(position + 4, bytes.count)], as: UTF8.self).unicodeScalars.first
    }

    // MARK: White space (sections 7 and 8)

    private mutating func skipSpace() throws(JSON5Fault) {
        while let scalar {
            switch scalar {
            case "\t", "\u{0B}", "\u{0C}", " ", "\n", "\r", "\u{A0}", "\u{2028}", "\u{2029}", "\u{FEFF}":
                position += Self.length(of: scalar)
            case "/": try skipComment()
            default:
                guard scalar.properties.generalCategory == .spaceSeparator else { return }
                position += Self.length(of: scalar)
            }
        }
    }

    private mutating func skipComment() throws(JSON5Fault) {
        let start = position
        position += 1
        if take("/") {
            while let scalar, !Self.endsLine(scalar) { position += Self.length(of: scalar) }
        } else if take("*") {
            while !bytes[position...].starts(with: "*/".utf8) {
                guard position < bytes.count else { throw fault("a comment does not end", at: start) }
                position += 1
            }
            position += 2
        } else {
            throw fault("a comment begins with // or /*", at: start)
        }
    }

    private static func endsLine(_ scalar: Unicode.Scalar) -> Bool {
        "\n\r\u{2028}\u{2029}".unicodeScalars.contains(scalar)
    }

    private static func length(of scalar: Unicode.Scalar) -> Int { UTF8.width(scalar) }

    // MARK: Values

    private mutating func value() throws(JSON5Fault) -> JSON5Value {
        let start = position
        guard let next else { throw fault("a value is missing") }
        let kind: JSON5Value.Kind =
            switch next {
            case UInt8(ascii: "{"): .object(try object())
            case UInt8(ascii: "["): .array(try array())
            case UInt8(ascii: "\""), UInt8(ascii: "'"): .string(try string(quote: next))
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"):
                .number(try number())
            default: try word()
            }
        return JSON5Value(kind: kind, range: start..<position)
    }

    private mutating func word() throws(JSON5Fault) -> JSON5Value.Kind {
        let start = position
        let word = try identifier() ?? ""
        switch word {
        case "null": return .null
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        case "Infinity", "NaN": return .number(word)
        case "": throw fault("a value is missing", at: start)
        default: throw fault("\(word) is no value; a string stands in quotes", at: start)
        }
    }

    private mutating func enter() throws(JSON5Fault) {
        depth += 1
        guard depth <= Self.deepest else { throw fault("arrays and objects are nested too deep") }
        let start = position
        position += 1
        try skipSpace()
        guard next != nil else { throw unclosed(start) }
    }

    private func unclosed(_ start: Int) -> JSON5Fault { fault("this array or object does not end", at: start) }

    /// A comma, after which the closing bracket may follow; else that bracket.
    private mutating func isAtEnd(_ bracket: Unicode.Scalar, of start: Int) throws(JSON5Fault) -> Bool {
        try skipSpace()
        let hasComma = take(",")
        if hasComma { try skipSpace() }
        if take(bracket) { return true }
        guard next != nil else { throw unclosed(start) }
        guard hasComma else { throw fault("a comma or \(bracket) is missing") }
        return false
    }

    private mutating func array() throws(JSON5Fault) -> [JSON5Value] {
        let start = position
        try enter()
        defer { depth -= 1 }
        var elements: [JSON5Value] = []
        if take("]") { return elements }
        repeat { elements.append(try value()) } while try !isAtEnd("]", of: start)
        return elements
    }

    private mutating func object() throws(JSON5Fault) -> [JSON5Member] {
        let start = position
        try enter()
        defer { depth -= 1 }
        var members: [JSON5Member] = []
        var names: Set<[UInt8]> = []
        if take("}") { return members }
        repeat {
            let nameStart = position
            let isQuoted = next == UInt8(ascii: "\"") || next == UInt8(ascii: "'")
            guard let name = isQuoted ? try string(quote: next ?? 0) : try identifier() else {
                throw fault("a member's name is missing")
            }
            let nameRange = nameStart..<position
            guard names.insert(Array(name.utf8)).inserted else {
                throw fault("\(name) stands twice in one object", at: nameStart)
            }
            try skipSpace()
            guard take(":") else { throw fault("a colon is missing behind the name") }
            try skipSpace()
            members.append(JSON5Member(name: name, nameRange: nameRange, value: try value()))
        } while try !isAtEnd("}", of: start)
        return members
    }

    /// ECMAScript 5.1's IdentifierName (section 3); `nil` when none stands here.
    private mutating func identifier() throws(JSON5Fault) -> String? {
        var name = String.UnicodeScalarView()
        while var scalar {
            let start = position
            position += Self.length(of: scalar)
            if scalar == "\\" {
                guard take("u") else { throw fault("an escape in a name is \\u and four digits", at: start) }
                scalar = try hexadecimal(4, from: start)
            }
            let properties = scalar.properties
            guard
                scalar == "$" || scalar == "_" || properties.isIDStart
                    || !name.isEmpty && (properties.isIDContinue || scalar == "\u{200C}" || scalar == "\u{200D}")
            else {
                position = start
                break
            }
            name.append(scalar)
        }
        return name.isEmpty ? nil : String(name)
    }

    // MARK: Numbers (section 6)

    private mutating func number() throws(JSON5Fault) -> String {
        let start = position
        _ = take("+") || take("-")
        if next == UInt8(ascii: "I") || next == UInt8(ascii: "N") {
            let word = try identifier() ?? ""
            guard word == "Infinity" || word == "NaN" else { throw fault("\(word) is no number", at: start) }
        } else if take("0") {
            if take("x") || take("X") {
                guard digits(where: \.isHexDigit) > 0 else {
                    throw fault("a hexadecimal number has no digits", at: start)
                }
            } else if next.map({ Character(Unicode.Scalar($0)).isWholeNumber }) == true {
                throw fault("a number does not begin with 0", at: start)
            } else {
                try fraction(whole: 1, from: start)
            }
        } else {
            try fraction(whole: digits(where: \.isWholeNumber), from: start)
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func fraction(whole: Int, from start: Int) throws(JSON5Fault) {
        var count = whole
        if take(".") { count += digits(where: \.isWholeNumber) }
        guard count > 0 else { throw fault("a number has no digits", at: start) }
        if take("e") || take("E") {
            _ = take("+") || take("-")
            guard digits(where: \.isWholeNumber) > 0 else { throw fault("an exponent has no digits", at: start) }
        }
    }

    private mutating func digits(where isDigit: (Character) -> Bool) -> Int {
        let start = position
        while let next, next < 0x80, isDigit(Character(Unicode.Scalar(next))) { position += 1 }
        return position - start
    }

    // MARK: Strings (section 5)

    private mutating func string(quote: UInt8) throws(JSON5Fault) -> String {
        let start = position
        position += 1
        var text: [UInt8] = []
        while let byte = next {
            position += 1
            switch byte {
            case quote: return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): try escape(into: &text)
            case 0x0A, 0x0D: throw fault("a string does not end on its line", at: start)
            default: text.append(byte)
            }
        }
        throw fault("a string does not end", at: start)
    }

    private mutating func escape(into text: inout [UInt8]) throws(JSON5Fault) {
        let start = position - 1
        guard let scalar else { throw fault("a string does not end", at: start) }
        position += Self.length(of: scalar)
        var read = scalar
        switch scalar {
        case "b": read = "\u{08}"
        case "f": read = "\u{0C}"
        case "n": read = "\n"
        case "r": read = "\r"
        case "t": read = "\t"
        case "v": read = "\u{0B}"
        case "0" where next.map({ Character(Unicode.Scalar($0)).isWholeNumber }) != true: read = "\0"
        case "0"..."9": throw fault("an escape of digits is none of JSON5", at: start)
        case "x": read = try hexadecimal(2, from: start)
        case "u": read = try unicode(from: start)
        case "\r":
            _ = take("\n")
            return
        case "\n", "\u{2028}", "\u{2029}": return
        default: break
        }
        text.append(contentsOf: String(Character(read)).utf8)
    }

    /// The four digits of `\u`, and those of the other half of a surrogate pair.
    private mutating func unicode(from start: Int) throws(JSON5Fault) -> Unicode.Scalar {
        let high = try code(4, from: start)
        guard UTF16.isLeadSurrogate(UInt16(high)) else { return try checked(high, from: start) }
        guard take("\\"), take("u") else { throw fault("an escape is half a surrogate pair", at: start) }
        let low = try code(4, from: start)
        guard UTF16.isTrailSurrogate(UInt16(low)) else { throw fault("an escape is half a surrogate pair", at: start) }
        return try checked(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00), from: start)
    }

    private mutating func hexadecimal(_ count: Int, from start: Int) throws(JSON5Fault) -> Unicode.Scalar {
        try checked(try code(count, from: start), from: start)
    }

    private func checked(_ code: UInt32, from start: Int) throws(JSON5Fault) -> Unicode.Scalar {
        guard let scalar = Unicode.Scalar(code) else { throw fault("an escape is half a surrogate pair", at: start) }
        return scalar
    }

    private mutating func code(_ count: Int, from start: Int) throws(JSON5Fault) -> UInt32 {
        let digits = bytes[position..<min(position + count, bytes.count)]
        guard digits.count == count, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw fault("an escape wants \(count) hexadecimal digits", at: start) }
        position += count
        return code
    }
}
