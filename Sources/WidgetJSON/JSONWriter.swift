/// Appends JSON to a buffer, members and elements in the order of the calls; the caller keeps containers balanced.
public struct JSONWriter {
    /// Whether the next value in the innermost container needs a comma before it.
    private var needsComma = false

    public init() {}

    public mutating func beginObject(_ out: inout [UInt8]) {
        separate(&out)
        out.append(0x7B)
        needsComma = false
    }

    public mutating func endObject(_ out: inout [UInt8]) {
        out.append(0x7D)
        needsComma = true
    }

    public mutating func beginArray(_ out: inout [UInt8]) {
        separate(&out)
        out.append(0x5B)
        needsComma = false
    }

    public mutating func endArray(_ out: inout [UInt8]) {
        out.append(0x5D)
        needsComma = true
    }

    /// A member's name; its value comes next.
    public mutating func name(_ name: StaticString, _ out: inout [UInt8]) {
        separate(&out)
        out.append(0x22)
        name.withUTF8Buffer { unsafe out.append(contentsOf: $0) }
        out.append(0x22)
        out.append(0x3A)
        needsComma = false
    }

    public mutating func string(_ text: String, _ out: inout [UInt8]) {
        separate(&out)
        out.append(0x22)
        let start = out.count
        out.append(contentsOf: text.utf8)
        if Escapes.areNeeded(in: out[start...]) {
            out.removeSubrange(start...)
            Escapes.write(text.utf8, to: &out)
        }
        out.append(0x22)
    }

    /// A string of bytes; what is no UTF-8 becomes U+FFFD.
    public mutating func string(utf8 bytes: some Collection<UInt8>, _ out: inout [UInt8]) {
        string(String(decoding: bytes, as: UTF8.self), &out)
    }

    public mutating func integer(_ number: some BinaryInteger, _ out: inout [UInt8]) {
        separate(&out)
        out.append(contentsOf: number.description.utf8)
    }

    /// The shortest text that reads back as this double; null for what JSON has no number for.
    public mutating func number(_ number: Double, _ out: inout [UInt8]) {
        guard number.isFinite else { return null(&out) }
        separate(&out)
        out.append(contentsOf: number.description.utf8)
    }

    public mutating func boolean(_ flag: Bool, _ out: inout [UInt8]) {
        separate(&out)
        out.append(contentsOf: (flag ? "true" : "false").utf8)
    }

    public mutating func null(_ out: inout [UInt8]) {
        separate(&out)
        out.append(contentsOf: "null".utf8)
    }

    /// A value that is JSON text already.
    public mutating func raw(_ text: ArraySlice<UInt8>, _ out: inout [UInt8]) {
        separate(&out)
        out.append(contentsOf: text)
    }

    /// Members that are JSON text already, without the braces around them; nothing for no members.
    public mutating func rawMembers(_ text: ArraySlice<UInt8>, _ out: inout [UInt8]) {
        guard !text.isEmpty else { return }
        raw(text, &out)
    }

    private mutating func separate(_ out: inout [UInt8]) {
        if needsComma { out.append(0x2C) }
        needsComma = true
    }
}

extension String {
    /// The string as JSON text with its quotes.
    public var jsonText: [UInt8] {
        var out: [UInt8] = []
        var writer = JSONWriter()
        writer.string(self, &out)
        return out
    }
}
