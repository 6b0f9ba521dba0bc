/// A bar of blocks, as fine as an eighth of a column.
enum Bar {
    private static let eighths: [Character] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]

    /// - Parameters:
    ///   - fraction: from 0 to 1; beyond, it is held there.
    ///   - columns: its width.
    static func text(_ fraction: Double, columns: Int) -> String {
        let whole = columns * 8
        let filled = fraction.isNaN ? 0 : Int((min(max(fraction, 0), 1) * Double(whole)).rounded(.down))
        var text = String(repeating: "█", count: filled / 8)
        if filled % 8 > 0 { text.append(eighths[filled % 8 - 1]) }
        return text + String(repeating: "░", count: columns - text.count)
    }

    /// `60 %`: rounded down, so that 100 % means all of it.
    static func percentage(_ fraction: Double) -> String {
        // A little more than the product, for 0.29 * 100 is below 29.
        "\(Int((min(max(fraction, 0), 1) * 100 + 1e-9).rounded(.down))) %"
    }
}
