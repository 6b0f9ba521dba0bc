import WidgetJSON

/// Colours: a name in any case, or 6 or 8 hex digits behind an optional `#`.
enum ColorCheck {
    static let names = [
        "red", "orange", "yellow", "green", "blue", "purple", "pink", "indigo", "teal", "cyan", "mint", "brown",
    ]
    private static let nameBytes = names.map { Array($0.utf8) }

    static func isColor(_ document: Document, _ position: Int) -> Bool {
        let node = document[position]
        guard !node.isEscaped else { return false }
        var digits = document.text[node.start..<node.end]
        if digits.first == 0x23 { digits = digits.dropFirst() }
        if digits.count == 6 || digits.count == 8, digits.allSatisfy(isHexDigit) { return true }
        return TextCheck.index(of: document, position, in: nameBytes, ignoringCase: true) != nil
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte & 0xDF)
    }
}
