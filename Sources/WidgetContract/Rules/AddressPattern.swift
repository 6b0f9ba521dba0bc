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
        guard let first = bytes.first, bytes.count <= longest, Self.legal[Int(first)] == .first else { return false }
        return unsafe bytes.withContiguousStorageIfAvailable { unsafe $0.allSatisfy { Self.legal[Int($0)] != .no } }
            ?? bytes.allSatisfy { Self.legal[Int($0)] != .no }
    }

    private enum Place {
        case no, first, later
    }

    /// Where each byte may stand; what may come first may come later, too.
    private static let legal: [Place] = (0...UInt8.max).map { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: .first
        case 0x2D, 0x5F: .later
        default: .no
        }
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
