/// An RFC 6901 pointer, built from the root down and kept as its text.
public struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
    public private(set) var description: String

    /// The whole document: the empty text.
    public static let root = JSONPointer(description: "")

    private init(description: String) {
        self.description = description
    }

    /// Reads a pointer's text.
    /// - Returns: `nil` when it is neither empty nor begins with `/`, or has a `~` without 0 or 1 behind it.
    public init?(_ text: String) {
        guard text.isEmpty || text.utf8.first == 0x2F else { return nil }
        var isBehindTilde = false
        for byte in text.utf8 {
            if isBehindTilde && byte != 0x30 && byte != 0x31 { return nil }
            isBehindTilde = byte == 0x7E
        }
        guard !isBehindTilde else { return nil }
        description = text
    }

    /// The member of that name below this one; `~` and `/` are escaped (section 3).
    public func appending(_ name: String) -> JSONPointer {
        var escaped: [UInt8] = []
        for byte in name.utf8 {
            switch byte {
            case 0x7E: escaped += [0x7E, 0x30]
            case 0x2F: escaped += [0x7E, 0x31]
            default: escaped.append(byte)
            }
        }
        return JSONPointer(description: description + "/" + String(decoding: escaped, as: UTF8.self))
    }

    /// The element at that position below this one.
    public func appending(_ index: Int) -> JSONPointer {
        JSONPointer(description: description + "/\(index)")
    }

    /// The names and positions, escapes read.
    public var tokens: [String] {
        description.utf8.split(separator: 0x2F, omittingEmptySubsequences: false).dropFirst().map { token in
            var bytes: [UInt8] = []
            var isBehindTilde = false
            for byte in token {
                if isBehindTilde {
                    bytes.append(byte == 0x31 ? 0x2F : 0x7E)
                } else if byte != 0x7E {
                    bytes.append(byte)
                }
                isBehindTilde = !isBehindTilde && byte == 0x7E
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Where the pointer leads in a document; `nil` when nothing is there. An array position has no leading zero
    /// (section 4).
    public func resolve(in document: Document) -> Int? {
        var position = 0
        for token in tokens {
            switch document[position].kind {
            case .object:
                guard let value = document.member(token, of: position) else { return nil }
                position = value
            case .array:
                guard let index = Int(token), index >= 0, String(index) == token else { return nil }
                var elements = document.elements(of: position)
                for _ in 0..<index where elements.next() == nil { return nil }
                guard let element = elements.next() else { return nil }
                position = element
            default: return nil
            }
        }
        return position
    }
}
