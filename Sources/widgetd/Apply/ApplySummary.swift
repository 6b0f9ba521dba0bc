import WidgetContract
import WidgetWorker

/// The counts at the end of `apply`.
struct ApplySummary {
    private var accepted = 0
    private var duplicates = 0
    private(set) var rejected: [String: Int] = [:]
    private(set) var count = 0

    mutating func add(_ verdict: Verdict) {
        count += 1
        switch verdict.answer {
        case .decided(.accepted): accepted += 1
        case .decided(.rejected(let rejection)): rejected[rejection.code.rawValue, default: 0] += 1
        case .repeated, .decidedBefore: duplicates += 1
        }
    }

    var hasRejections: Bool { !rejected.isEmpty }

    /// - Parameter milliseconds: since the start.
    func lines(milliseconds: Int) -> [String] {
        let refusals = rejected.values.reduce(0, +)
        let rate = count * 1000 / max(1, milliseconds)
        return [
            "\(count) messages in \(milliseconds) ms (\(rate) a second):"
                + " \(accepted) accepted, \(refusals) rejected, \(duplicates) duplicates"
        ] + rejected.sorted { $0.key < $1.key }.map { "  \($0.key) \($0.value)" }
    }
}
