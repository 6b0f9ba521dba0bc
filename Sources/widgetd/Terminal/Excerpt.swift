/// The line of a text that a message is about, and a caret line under what is meant.
enum Excerpt {
    /// - Parameter room: columns; a longer line is cut around what is meant.
    /// - Returns: two lines, the second of spaces, a caret and tildes.
    static func lines(_ fault: TextFault, room: Int) -> (text: String, mark: String) {
        let line = fault.source.line(at: fault.range.lowerBound)
        let start = max(line.lowerBound, min(fault.range.lowerBound, line.upperBound))
        let end = max(start, min(fault.range.upperBound, line.upperBound))
        func shown(_ range: Range<Int>) -> String {
            String(decoding: fault.source.bytes[range], as: UTF8.self).printable
        }
        var before = shown(line.lowerBound..<start)
        let meant = shown(start..<end)
        let behind = shown(end..<line.upperBound)
        // A third of the room for what stands before it.
        let most = max(1, room / 3)
        if before.displayWidth > most, (before + meant + behind).displayWidth > room {
            var kept = Substring(before)
            while kept.displayWidth > most - 1 { kept = kept.dropFirst() }
            before = "…" + kept
        }
        let text = (before + meant + behind).fitted(to: room)
        let width = max(1, min(meant.displayWidth, room - before.displayWidth))
        return (
            text, String(repeating: " ", count: before.displayWidth) + "^" + String(repeating: "~", count: width - 1)
        )
    }

    /// Writes a fault, with its excerpt where a person reads.
    static func write(_ fault: TextFault, to terminal: Terminal) throws {
        let message = fault.message.printable
        try terminal.write(line: terminal.styled(fault.place, .bold) + ": " + message)
        guard terminal.isTerminal, fault.showsText, !fault.source.bytes.isEmpty else { return }
        let (text, mark) = lines(fault, room: terminal.columns - 3)
        try terminal.write(line: "  \(text)")
        try terminal.write(line: "  " + terminal.styled(mark, .red))
    }
}

extension Substring {
    fileprivate var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }
}
