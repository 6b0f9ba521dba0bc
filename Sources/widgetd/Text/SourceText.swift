/// A text that somebody wrote, with a name and line numbers for messages about it.
struct SourceText: Sendable {
    /// As messages call it: a path, or `-` for standard input.
    let name: String
    let bytes: [UInt8]
    /// The number of its first line, where it is a part of a longer text.
    var firstLine = 1

    /// Line and column, from 1; a column is a code point.
    struct Place: Equatable, Sendable {
        let line: Int
        let column: Int
    }

    func place(of offset: Int) -> Place {
        let start = startOfLine(at: offset)
        let line = firstLine + bytes[..<start].count { $0 == 0x0A }
        // A byte that continues a code point is 10xxxxxx (RFC 3629 section 3).
        return Place(line: line, column: 1 + bytes[start..<min(offset, bytes.count)].count { $0 & 0xC0 != 0x80 })
    }

    /// The bounds of the line that holds an offset, without its end.
    func line(at offset: Int) -> Range<Int> {
        let start = startOfLine(at: offset)
        var end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
        if end > start, bytes[end - 1] == 0x0D { end -= 1 }
        return start..<end
    }

    private func startOfLine(at offset: Int) -> Int {
        (bytes[..<min(offset, bytes.count)].lastIndex(of: 0x0A) ?? -1) + 1
    }
}

/// Something wrong at a place in a text.
struct TextFault: Sendable {
    let source: SourceText
    /// The bytes that are meant; empty where something is missing.
    let range: Range<Int>
    let message: String
    /// The text may be shown beside the message.
    var showsText = true

    /// `pages.json:3:14`
    var place: String {
        let place = source.place(of: range.lowerBound)
        return "\(source.name):\(place.line):\(place.column)"
    }

    var description: String { "\(place): \(message)" }
}
