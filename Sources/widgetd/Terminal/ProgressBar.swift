import WidgetWorker

/// Progress of long work on one line of a terminal, redrawn a few times a second and gone at the end; nothing is
/// written where nobody looks.
struct ProgressBar {
    private let terminal: Terminal
    private let unit: String
    private let start = WorkerClock.system.monotonicMilliseconds()
    private var lastDrawn = 0
    private var isShown = false

    /// Milliseconds between two drawings.
    private static let pause = 100

    /// - Parameter unit: what is counted, in the plural.
    init(_ unit: String, on terminal: Terminal = .errors) {
        self.unit = unit
        self.terminal = terminal
    }

    /// - Parameters:
    ///   - count: how many are done.
    ///   - fraction: how much of all is done, from 0 to 1; `nil` where the end is not known: no bar is made up then.
    mutating func show(_ count: Int, fraction: Double?) {
        guard terminal.canDraw else { return }
        let now = WorkerClock.system.monotonicMilliseconds()
        guard now - lastDrawn >= Self.pause else { return }
        lastDrawn = now
        isShown = true
        let line = text(count, fraction, milliseconds: now - start)
        TextFile.write(Array("\r\(line)\u{1B}[K".utf8), to: terminal.descriptor)
    }

    /// Takes it off the screen, before other text and at the end.
    mutating func clear() {
        guard isShown else { return }
        isShown = false
        TextFile.write(Array("\r\u{1B}[K".utf8), to: terminal.descriptor)
    }

    private func text(_ count: Int, _ fraction: Double?, milliseconds: Int) -> String {
        // The last column stays free: a terminal may wrap behind it.
        let room = terminal.columns - 1
        let rate = count * 1000 / max(1, milliseconds)
        var figures = "\(count) \(unit), \(rate) a second"
        guard let fraction else { return figures.fitted(to: room) }
        if fraction > 0, milliseconds >= 1000 {
            let left = Double(milliseconds) * (1 - fraction) / fraction
            figures += ", \(Age.text(milliseconds: Int64(left))) left"
        }
        figures = " \(Bar.percentage(fraction))  \(figures)"
        let columns = min(30, room - figures.displayWidth)
        guard columns >= 5 else { return figures.fitted(to: room) }
        return terminal.styled(Bar.text(fraction, columns: columns), .green) + figures
    }
}
