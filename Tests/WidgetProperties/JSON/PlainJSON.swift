/// RFC 8259 read byte by byte, as its grammar is written: slow and simple, to hold the product's reader against.
struct PlainJSON {
    private struct Refused: Error {}

    private let text: [UInt8]
    private let deepest: Int
    private let refusesDuplicates: Bool
    private var index = 0
    private var out: [UInt8] = []

    /// The text without white space and with the shortest escapes; `nil` when it is no JSON, is nested deeper, or has
    /// half a surrogate pair or, where they are refused, a member name twice in one object.
    static func compact(_ text: [UInt8], depth: Int, refusingDuplicateNames: Bool) -> [UInt8]? {
        guard String(validating: text, as: UTF8.self) != nil else { return nil }
        var plain = PlainJSON(text: text, deepest: depth, refusesDuplicates: refusingDuplicateNames)
        do {
            try plain.value(depth: 0)
            return plain.index == text.count ? plain.out : nil
        } catch {
            return nil
        }
    }

    private init(text: [UInt8], deepest: Int, refusesDuplicates: Bool) {
        self.text = text
        self.deepest = deepest
        self.refusesDuplicates = refusesDuplicates
    }

    private var next: UInt8? { index < text.count ? text[index] : nil }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private mutating func take(_ character: Unicode.Scalar) throws {
        guard skip(character) else { throw Refused() }
        out.append(UInt8(ascii: character))
    }

    private mutating func skipSpace() {
        while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { index += 1 }
    }

    /// `ws value ws`
    private mutating func value(depth: Int) throws {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): try object(depth: depth + 1)
        case UInt8(ascii: "["): try array(depth: depth + 1)
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "t"): for letter in "true".unicodeScalars { try take(letter) }
        case UInt8(ascii: "f"): for letter in "false".unicodeScalars { try take(letter) }
        case UInt8(ascii: "n"): for letter in "null".unicodeScalars { try take(letter) }
        default: try number()
        }
        skipSpace()
    }

    private mutating func object(depth: Int) throws {
        guard depth <= deepest else { throw Refused() }
        try take("{")
        skipSpace()
        var names: Set<[UInt8]> = []
        if next != UInt8(ascii: "}") {
            repeat {
                if !names.isEmpty { out.append(UInt8(ascii: ",")) }
                skipSpace()
                let start = out.count
                try string()
                let isNew = names.insert(Array(out[start...])).inserted
                if refusesDuplicates && !isNew { throw Refused() }
                skipSpace()
                try take(":")
                try value(depth: depth)
            } while skip(",")
        }
        try take("}")
    }

    private mutating func array(depth: Int) throws {
        guard depth <= deepest else { throw Refused() }
        try take("[")
        skipSpace()
        if next != UInt8(ascii: "]") {
            try value(depth: depth)
            while next == UInt8(ascii: ",") {
                try take(",")
                try value(depth: depth)
            }
        }
        try take("]")
    }

    private mutating func number() throws {
        if next == UInt8(ascii: "-") { try take("-") }
        if next == UInt8(ascii: "0") { try take("0") } else { try digits() }
        if next == UInt8(ascii: ".") {
            try take(".")
            try digits()
        }
        if let byte = next, byte | 0x20 == UInt8(ascii: "e") {
            try take(Unicode.Scalar(byte))
            if let sign = next, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
                try take(Unicode.Scalar(sign))
            }
            try digits()
        }
    }

    private mutating func digits() throws {
        let start = index
        while let byte = next, 0x30...0x39 ~= byte { try take(Unicode.Scalar(byte)) }
        guard index > start else { throw Refused() }
    }

    private mutating func string() throws {
        guard skip("\"") else { throw Refused() }
        var units: [UInt8] = []
        while !skip("\"") {
            guard let byte = next, byte >= 0x20 else { throw Refused() }
            index += 1
            if byte == UInt8(ascii: "\\") { units += try Array(String(escape()).utf8) } else { units.append(byte) }
        }
        out.append(UInt8(ascii: "\""))
        for byte in units { putEscaped(byte) }
        out.append(UInt8(ascii: "\""))
    }

    private mutating func escape() throws -> Unicode.Scalar {
        guard let letter = next else { throw Refused() }
        index += 1
        switch Unicode.Scalar(letter) {
        case "\"", "\\", "/": return Unicode.Scalar(letter)
        case "b": return "\u{8}"
        case "f": return "\u{C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "u":
            let unit = try fourDigits()
            if let scalar = Unicode.Scalar(unit) { return scalar }
            guard unit < 0xDC00, skip("\\"), skip("u") else { throw Refused() }
            let low = try fourDigits()
            guard 0xDC00...0xDFFF ~= low, let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) * 0x400 + low - 0xDC00)
            else { throw Refused() }
            return scalar
        default: throw Refused()
        }
    }

    private mutating func fourDigits() throws -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { throw Refused() }
            unit = unit * 16 + UInt32(digit)
            index += 1
        }
        return unit
    }

    private static let letters: [UInt8: Unicode.Scalar] = [
        0x08: "b", 0x0C: "f", 0x0A: "n", 0x0D: "r", 0x09: "t", 0x22: "\"", 0x5C: "\\",
    ]

    private mutating func putEscaped(_ byte: UInt8) {
        if let letter = Self.letters[byte] {
            out += [UInt8(ascii: "\\"), UInt8(ascii: letter)]
        } else if byte < 0x20 {
            out += Array("\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8)
        } else {
            out.append(byte)
        }
    }
}
