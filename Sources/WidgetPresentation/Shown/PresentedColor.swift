/// A colour, by its name where the content says one: apps draw names in the system's shades for light and dark.
public struct PresentedColor: Hashable, Sendable {
    public var name: ColorName?
    /// Red, green, blue and alpha, 8 bits each from the highest.
    public var rgba: UInt32

    init(_ name: ColorName) {
        self.init(name: name, rgba: name.rgb << 8 | 0xFF)
    }

    /// From the content's text: a name in any case, or 6 (RGB) or 8 (RGBA) hex digits behind an optional `#`.
    init?(_ text: String) {
        if let name = ColorName(rawValue: text.lowercased()) {
            self.init(name)
            return
        }
        let digits = text.utf8.starts(with: "#".utf8) ? text.utf8.dropFirst() : text.utf8[...]
        guard digits.count == 6 || digits.count == 8, digits.first != 0x2B, digits.first != 0x2D,
            let bits = UInt32(String(Substring(digits)), radix: 16)
        else { return nil }
        self.init(rgba: digits.count == 8 ? bits : bits << 8 | 0xFF)
    }

    private init(name: ColorName? = nil, rgba: UInt32) {
        self.name = name
        self.rgba = rgba
    }

    /// `#34C759`, with two digits more where it is not opaque.
    public var hex: String {
        let isOpaque = rgba & 0xFF == 0xFF
        let digits = String(isOpaque ? rgba >> 8 : rgba, radix: 16, uppercase: true)
        return "#" + String(repeating: "0", count: (isOpaque ? 6 : 8) - digits.utf8.count) + digits
    }
}

/// The named colours, with the values of the public API's colour table.
public enum ColorName: String, CaseIterable, Sendable {
    case red, orange, yellow, green, blue, purple, pink, indigo, teal, cyan, mint, brown

    /// 8 bits each of red, green and blue.
    public var rgb: UInt32 { Self.table[self] ?? 0 }

    private static let table: [ColorName: UInt32] = [
        .red: 0xFF3B30, .orange: 0xFF9500, .yellow: 0xFFCC00, .green: 0x34C759, .blue: 0x007AFF, .purple: 0xAF52DE,
        .pink: 0xFF2D55, .indigo: 0x5856D6, .teal: 0x5AC8FA, .cyan: 0x32ADE6, .mint: 0x00C7BE, .brown: 0xA2845E,
    ]
}

/// The colours of a widget as a whole.
public struct Palette: Hashable, Sendable {
    /// Of the meter, the pills, the buttons and the symbol.
    public var accent: PresentedColor
    /// `nil`: the system's.
    public var background: PresentedColor?
    /// `nil`: the system's.
    public var text: PresentedColor?
}
