/// A line of a picture: pieces of text with a style each, from left to right.
struct PictureLine {
    private(set) var cells: [TextTable.Cell] = []

    init(_ text: String, _ style: Style? = nil) {
        add(text, style)
    }

    mutating func add(_ text: String, _ style: Style? = nil) {
        guard !text.isEmpty else { return }
        cells.append(TextTable.Cell(text, style))
    }

    var width: Int { cells.reduce(0) { $0 + $1.text.displayWidth } }

    /// Cut to so many columns.
    /// - Parameter isFilled: spaces behind it, up to that many.
    func text(columns: Int, isFilled: Bool, for terminal: Terminal) -> String {
        var left = columns
        var text = ""
        for cell in cells where left > 0 {
            let shown = cell.text.fitted(to: left)
            left -= shown.displayWidth
            text += terminal.styled(shown, cell.style)
        }
        return isFilled ? text + String(repeating: " ", count: left) : text
    }
}
