/// A table for people: columns aligned by display width, cut to the terminal's width, plain everywhere else.
struct TextTable {
    struct Column {
        let title: String
        var isRight = false
        /// May be cut when the terminal is narrow; the widest one is first.
        var isFlexible = false
    }

    struct Cell {
        let text: String
        var style: Style?

        init(_ text: String, _ style: Style? = nil) {
            self.text = text.printable
            self.style = style
        }
    }

    private let columns: [Column]
    private var rows: [[Cell]] = []
    private var widths: [Int]

    private static let narrowest = 8
    private static let gap = 2

    init(_ columns: [Column]) {
        self.columns = columns
        widths = columns.map(\.title.displayWidth)
    }

    mutating func add(_ row: [Cell]) {
        for (index, cell) in row.enumerated() { widths[index] = max(widths[index], cell.text.displayWidth) }
        rows.append(row)
    }

    /// - Parameter hasHead: whether the columns' titles stand above.
    func write(to terminal: Terminal, hasHead: Bool = true) throws {
        let widths = terminal.isTerminal ? fitted(to: terminal.columns) : widths
        if hasHead { try write(columns.map { Cell($0.title, .bold) }, widths, terminal) }
        for row in rows { try write(row, widths, terminal) }
    }

    private func write(_ row: [Cell], _ widths: [Int], _ terminal: Terminal) throws {
        var line = ""
        // Spaces are written before the next cell that has text: no line ends with some.
        var space = 0
        for (index, cell) in row.enumerated() {
            let text = cell.text.fitted(to: widths[index])
            let before = columns[index].isRight ? widths[index] - text.displayWidth : 0
            space += before
            if !text.isEmpty {
                line += String(repeating: " ", count: space) + terminal.styled(text, cell.style)
                space = 0
            }
            space += widths[index] - text.displayWidth - before + Self.gap
        }
        try terminal.write(line: line)
    }

    private func fitted(to room: Int) -> [Int] {
        var widths = widths
        var excess = widths.reduce(0, +) + Self.gap * (widths.count - 1) - room
        while excess > 0 {
            let flexible = columns.indices.filter { columns[$0].isFlexible && widths[$0] > Self.narrowest }
            guard let widest = flexible.max(by: { widths[$0] < widths[$1] }) else { break }
            widths[widest] -= 1
            excess -= 1
        }
        return widths
    }
}
