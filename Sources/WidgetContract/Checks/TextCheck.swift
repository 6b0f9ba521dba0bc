import WidgetJSON

/// Questions about a string in a document, answered on its text wherever that is possible.
enum TextCheck {
    /// The string's bytes, escapes read.
    static func bytes(of document: DocumentView, _ position: Int) -> [UInt8] {
        let node = document[position]
        if node.isEscaped { return Array((document.string(at: position) ?? "").utf8) }
        return unsafe Array(document.bytes(of: node))
    }

    /// How many code points the string has, when they are more than `limit`.
    @inline(__always)
    static func codePoints(of document: DocumentView, _ position: Int, ifOver limit: Int) -> Int? {
        // A code point takes a byte at least.
        document[position].length > limit ? countedCodePoints(of: document, position, ifOver: limit) : nil
    }

    private static func countedCodePoints(of document: DocumentView, _ position: Int, ifOver limit: Int) -> Int? {
        // Every code point has one byte that continues none.
        let count = bytes(of: document, position).reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
        return count > limit ? count : nil
    }

    /// Only Unicode white space, or nothing.
    @inline(__always)
    static func isBlank(_ document: DocumentView, _ position: Int) -> Bool {
        let node = document[position]
        guard node.length > 0 else { return true }
        let first = unsafe document.bytes(of: node)[0]
        if first > 0x20 && first < 0x7F && first != 0x5C { return false }
        return isWhiteSpace(document, position)
    }

    private static func isWhiteSpace(_ document: DocumentView, _ position: Int) -> Bool {
        (document.string(at: position) ?? "").unicodeScalars.allSatisfy(\.properties.isWhitespace)
    }

    /// Which of the list's words the string is.
    static func index(of document: DocumentView, _ position: Int, in list: WordList) -> Int? {
        let node = document[position]
        guard node.kind == .string, !node.isEscaped else { return nil }
        return list.index.position(of: node, in: document)
    }
}
