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
        var figures = ["\(count) \(unit)", "\(count * 1000 / max(1, milliseconds)) a second"]
        guard let fraction else { return Self.joined(figures, room: room) }
        if fraction > 0 {
            let left = Int64(Double(milliseconds) * (1 - fraction) / fraction)
            if left >= 1000 { figures.append("\(Age.text(milliseconds: left)) left") }
        }
        let percentage = " \(Bar.percentage(fraction))".padded(to: 6, right: true)
        let rest = Self.joined(figures, room: room - Self.shortest - percentage.count - 2)
        let behind = percentage + (rest.isEmpty ? "" : "  " + rest)
        let columns = max(1, min(Self.longest, room - behind.displayWidth))
        return terminal.styled(Bar.text(fraction, columns: columns), .green) + behind
    }

    /// As many of the figures as fit, the first ones first.
    private static func joined(_ figures: [String], room: Int) -> String {
        let counts = figures.indices.reversed().map { $0 + 1 }
        return counts.lazy.map { figures.prefix($0).joined(separator: ", ") }.first { $0.displayWidth <= room } ?? ""
    }

    /// Columns of the bar.
    private static let shortest = 10
    private static let longest = 30
}
