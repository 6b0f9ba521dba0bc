import WidgetJSON

/// What accounts and slugs look like: an ASCII letter or digit, then letters, digits, `_` and `-`.
public struct AddressPattern: Sendable {
    /// Most characters.
    public let longest: Int

    public static let slug = AddressPattern(longest: 128)
    public static let account = AddressPattern(longest: 64)

    /// The pattern as a regular expression.
    public var expression: String { "[A-Za-z0-9][A-Za-z0-9_-]{0,\(longest - 1)}" }

    public func matches(_ text: String) -> Bool {
        let bytes = text.utf8
        guard !bytes.isEmpty, bytes.count <= longest else { return false }
        var isFirst = true
        for byte in bytes {
            let isAlphanumeric =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            guard isAlphanumeric || !isFirst && (byte == 0x5F || byte == 0x2D) else { return false }
            isFirst = false
        }
        return true
    }

    func violation(at member: String, _ text: String) -> Violation {
        Violation(
            .root.appending(member), .pattern, "must match \(expression)",
            value: text.utf8.count <= 256 ? text.jsonText : nil, position: -1)
    }
}
extension WidgetAddress {
    /// Account and slug match their patterns, so that a widget may be there.
    public var isLegal: Bool { AddressPattern.slug.matches(slug) && AddressPattern.account.matches(account) }
}
