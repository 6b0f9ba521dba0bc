import Glibc

/// Figures in a table of Markdown, for people and for a page.
struct FigureTable {
    private let title: String
    private var rows: [[String]]

    init(_ title: String, _ columns: String...) {
        self.title = title
        rows = [columns]
    }

    mutating func add(_ cells: [String]) {
        rows.append(cells)
    }

    func print() {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        func line(_ cells: [String]) -> String {
            let padded = zip(cells, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            return "| \(padded.joined(separator: " | ")) |"
        }
        Swift.print("\n\(title)\n")
        Swift.print(line(rows[0]))
        Swift.print(line(widths.map { String(repeating: "-", count: $0) }))
        for row in rows.dropFirst() { Swift.print(line(row)) }
        // Also into a file at once: a long run is looked at while it goes.
        fflush(nil)
    }
}

extension Double {
    /// With so many decimals.
    func text(_ decimals: Int) -> String {
        var unit = 1.0
        for _ in 0..<decimals { unit *= 10 }
        let scaled = Int((self * unit).rounded())
        guard decimals > 0 else { return String(scaled) }
        let digits = String(scaled.magnitude)
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        return (scaled < 0 ? "-" : "") + padded.dropLast(decimals) + "." + padded.suffix(decimals)
    }
}
