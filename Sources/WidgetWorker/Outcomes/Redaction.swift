public import WidgetJSON

/// Keeps values of action headers, which are often credentials, out of what is published about a message.
///
/// Any member named `headers`, wherever a sender put it, counts as headers of an action.
public enum Redaction {
    private static let name = "headers"
    private static let placeholder = Array("\"[redacted]\"".utf8)

    /// The document's text with the values of headers replaced.
    public static func text(of document: Document) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(document.text.count)
        write(document, 0, isHeaders: false, to: &out)
        return out
    }

    private static func write(_ document: Document, _ position: Int, isHeaders: Bool, to out: inout [UInt8]) {
        switch document[position].kind {
        case .object:
            out.append(0x7B)
            var isFirst = true
            for (name, value) in document.members(of: position) {
                if !isFirst { out.append(0x2C) }
                isFirst = false
                out.append(contentsOf: document.textOfValue(at: name))
                out.append(0x3A)
                let isBelowHeaders = isHeaders || document.hasString(at: name, equalTo: Self.name)
                write(document, value, isHeaders: isBelowHeaders, to: &out)
            }
            out.append(0x7D)
        case .array:
            out.append(0x5B)
            var isFirst = true
            for element in document.elements(of: position) {
                if !isFirst { out.append(0x2C) }
                isFirst = false
                write(document, element, isHeaders: isHeaders, to: &out)
            }
            out.append(0x5D)
        default:
            out.append(contentsOf: isHeaders ? placeholder[...] : document.textOfValue(at: position))
        }
    }

    /// Whether a value, as `text(of:)` wrote it, has lost something: what stands for it is no value of its sender's.
    static func isRedacted(_ document: Document, _ position: Int, isHeaders: Bool = false) -> Bool {
        switch document[position].kind {
        case .object:
            document.members(of: position).contains { name, value in
                isRedacted(
                    document, value, isHeaders: isHeaders || document.hasString(at: name, equalTo: Self.name))
            }
        case .array:
            document.elements(of: position).contains { isRedacted(document, $0, isHeaders: isHeaders) }
        default: isHeaders
        }
    }

    /// The bytes of a body that is no JSON, up to the first `headers` in them, in whatever quotes or escapes: what
    /// follows may be a secret, and there is no telling where it ends.
    static func beforeHeaders(_ body: [UInt8]) -> ArraySlice<UInt8> {
        body[..<(body.indices.first { beginsWithName(body[$0...]) } ?? body.endIndex)]
    }

    private static func beginsWithName(_ text: ArraySlice<UInt8>) -> Bool {
        // Most places are none.
        guard text.first == 0x68 || text.first == 0x5C else { return false }
        var rest = text
        for byte in name.utf8 {
            if rest.first == byte {
                rest = rest.dropFirst()
            } else if String(decoding: rest.prefix(6), as: UTF8.self).lowercased() == "\\u00\(String(byte, radix: 16))"
            {
                rest = rest.dropFirst(6)
            } else {
                return false
            }
        }
        return true
    }
}
