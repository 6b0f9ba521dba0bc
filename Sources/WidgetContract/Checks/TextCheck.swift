import WidgetJSON

/// Questions about a string in a document, answered on its text wherever that is possible.
enum TextCheck {
    /// The string's bytes, escapes read.
    static func bytes(of document: Document, _ position: Int) -> [UInt8] {
        let node = document[position]
        if node.isEscaped { return Array((document.string(at: position) ?? "").utf8) }
        return Array(document.text[node.start..<node.end])
    }

    /// How many code points the string has, when they are more than `limit`.
    static func codePoints(of document: Document, _ position: Int, ifOver limit: Int) -> Int? {
        let node = document[position]
        // A code point takes a byte at least.
        guard node.length > limit else { return nil }
        // Every code point has one byte that continues none.
        let count = bytes(of: document, position).reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
        return count > limit ? count : nil
    }

    /// Only Unicode white space, or nothing.
    static func isBlank(_ document: Document, _ position: Int) -> Bool {
        let node = document[position]
        guard node.length > 0 else { return true }
        let first = document.text[node.start]
        if first > 0x20 && first < 0x7F && first != 0x5C { return false }
        return (document.string(at: position) ?? "").unicodeScalars.allSatisfy(\.properties.isWhitespace)
    }

    /// Which of the list's words the string is.
    static func index(of document: Document, _ position: Int, in list: WordList) -> Int? {
        guard document[position].kind == .string, !document[position].isEscaped else { return nil }
        return index(of: document, position, in: list.bytes, ignoringCase: list.ignoresCase)
    }

    /// Which of the words the string is; they are in lower case where case is ignored.
    static func index(
        of document: Document, _ position: Int, in words: [[UInt8]], ignoringCase: Bool
    ) -> Int? {
        let node = document[position]
        let start = node.start
        return words.firstIndex { word in
            guard word.count == node.length else { return false }
            for index in word.indices {
                let byte = document.text[start + index]
                let isUpper = ignoringCase && byte >= 0x41 && byte <= 0x5A
                if (isUpper ? byte | 0x20 : byte) != word[index] { return false }
            }
            return true
        }
    }
}
