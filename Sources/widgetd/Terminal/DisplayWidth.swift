/// How many columns of a terminal text takes: 2 for a wide East Asian character or an emoji, 0 for a mark above another.
extension Character {
    var displayWidth: Int {
        var width = 0
        for scalar in unicodeScalars {
            // VARIATION SELECTOR-16 asks for the emoji (UTS #51 section 1.4.3).
            if scalar == "\u{FE0F}" { return 2 }
            width = max(width, scalar.displayWidth)
        }
        return width
    }
}

extension Unicode.Scalar {
    fileprivate var displayWidth: Int {
        if value < 0x300 { return value < 0x20 || (0x7F..<0xA0).contains(value) ? 0 : 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        return properties.isEmojiPresentation || Self.isWide(value) ? 2 : 1
    }

    /// East_Asian_Width W or F (UAX #11), beyond emoji.
    private static func isWide(_ value: UInt32) -> Bool {
        switch value {
        case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xA000...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B,
            0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18D08, 0x1AFF0...0x1B2FB, 0x1F200...0x1F265,
            0x20000...0x3FFFD:
            true
        default: false
        }
    }
}

extension String {
    var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }

    /// Cut to at most that many columns, with … for what is left out.
    func fitted(to columns: Int) -> String {
        guard displayWidth > columns else { return self }
        return prefix(columns: columns - 1) + (columns > 0 ? "…" : "")
    }

    /// As many characters as go into that many columns.
    func prefix(columns: Int) -> String {
        var left = columns
        return String(
            prefix { character in
                left -= character.displayWidth
                return left >= 0
            })
    }

    /// Spaces behind it, or before it, up to that many columns.
    func padded(to columns: Int, right: Bool = false) -> String {
        let space = String(repeating: " ", count: max(0, columns - displayWidth))
        return right ? space + self : self + space
    }

    /// Safe to show: what would move the cursor, change the terminal's mode or turn the direction of writing around is
    /// replaced by U+FFFD; tabs and line ends by a space.
    var printable: String {
        guard unicodeScalars.contains(where: \.isUnsafeToShow) else { return self }
        var shown = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            shown.append("\t\n\r".unicodeScalars.contains(scalar) ? " " : scalar.isUnsafeToShow ? "\u{FFFD}" : scalar)
        }
        return String(shown)
    }
}

extension String {
    /// JSON whose strings are safe to show: what `printable` replaces stands as `\u` and four digits, which says the same.
    var printableJSON: String {
        guard unicodeScalars.contains(where: \.isUnsafeToShow) else { return self }
        return unicodeScalars.map { scalar in
            guard scalar.isUnsafeToShow else { return String(scalar) }
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }
}

extension Unicode.Scalar {
    /// A control character, a line separator, or a bidirectional control (UAX #9 section 2).
    fileprivate var isUnsafeToShow: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
