import WidgetContract

/// What a worker did.
public struct WorkerSummary: Sendable {
    public internal(set) var accepted = 0
    public internal(set) var rejected = 0
    public internal(set) var duplicates = 0
    public internal(set) var batches = 0
    /// Everything in hand was finished before the end.
    public internal(set) var isClean = true

    mutating func count(_ verdict: Verdict) {
        switch verdict.answer {
        case .decided(.accepted): accepted += 1
        case .decided(.rejected): rejected += 1
        case .repeated, .decidedBefore: duplicates += 1
        }
    }
}
