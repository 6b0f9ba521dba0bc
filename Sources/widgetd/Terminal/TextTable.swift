/// A table for people: columns aligned by display width, cut to the terminal's width, plain everywhere else.
struct TextTable {
    struct Column {
        let title: String
        var isRight = false
        /// May be cut when the terminal is narrow; the widest one is first.
        var isFlexible = false
        /// May be left out when cutting is not enough; the last one is first.
        var isOptional = false
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
        for line in lines(for: terminal, hasHead: hasHead) { try terminal.write(line: line) }
    }

    /// The lines, as `write` writes them.
    func lines(for terminal: Terminal, hasHead: Bool = true) -> [String] {
        let widths: [Int?] = terminal.isTerminal ? fitted(to: terminal.columns) : widths
        let head = hasHead ? [columns.map { Cell($0.title, .bold) }] : []
        return (head + rows).map { line($0, widths, terminal) }
    }

    private func line(_ row: [Cell], _ widths: [Int?], _ terminal: Terminal) -> String {
        var line = ""
        // Spaces are written before the next cell that has text: no line ends with some.
        var space = 0
        for (index, cell) in row.enumerated() {
            guard let width = widths[index] else { continue }
            let text = cell.text.fitted(to: width)
            let before = columns[index].isRight ? width - text.displayWidth : 0
            space += before
            if !text.isEmpty {
                line += String(repeating: " ", count: space) + terminal.styled(text, cell.style)
                space = 0
            }
            space += width - text.displayWidth - before + Self.gap
        }
        return line
    }

    /// The columns' widths in a terminal; `nil` for one that is left out.
    private func fitted(to room: Int) -> [Int?] {
        var widths: [Int?] = widths
        func excess() -> Int { widths.reduce(-Self.gap) { $0 + ($1.map { $0 + Self.gap } ?? 0) } - room }
        func slack(_ index: Int) -> Int {
            columns[index].isFlexible ? max(0, (widths[index] ?? 0) - Self.narrowest) : 0
        }
        for index in columns.indices.reversed() where columns[index].isOptional {
            if excess() > columns.indices.reduce(0, { $0 + slack($1) }) { widths[index] = nil }
        }
        while excess() > 0, let widest = columns.indices.max(by: { slack($0) < slack($1) }), slack(widest) > 0 {
            widths[widest] = widths[widest].map { $0 - 1 }
        }
        // Where even that is too wide, nothing is spared: a line that wraps is worse.
        while excess() > 0, let widest = columns.indices.max(by: { widths[$0] ?? 0 < widths[$1] ?? 0 }),
            let width = widths[widest], width > 0
        {
            widths[widest] = width - 1
        }
        return widths
    }
}
