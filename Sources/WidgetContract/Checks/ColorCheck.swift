import WidgetJSON

/// Colours: a name in any case, or 6 or 8 hex digits behind an optional `#`.
enum ColorCheck {
    static let names = [
        "red", "orange", "yellow", "green", "blue", "purple", "pink", "indigo", "teal", "cyan", "mint", "brown",
    ]
    private static let index = NameIndex(names, ignoringCase: true)

    static func isColor(_ document: DocumentView, _ position: Int) -> Bool {
        let node = document[position]
        guard !node.isEscaped else { return false }
        if index.position(of: node, in: document) != nil { return true }
        let text = unsafe document.bytes(of: node)
        let first = unsafe text.first == 0x23 ? 1 : 0
        let count = text.count - first
        return (count == 6 || count == 8) && (first..<text.count).allSatisfy { unsafe isHexDigit(text[$0]) }
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte & 0xDF)
    }
}
