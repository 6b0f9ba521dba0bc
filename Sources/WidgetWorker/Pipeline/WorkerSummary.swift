import WidgetTelemetry

/// What a worker did until its end.
public struct WorkerSummary: Sendable {
    public internal(set) var measures = WorkerMeasures()
    /// Everything in hand was finished before the end.
    public internal(set) var isClean = true

    public var accepted: Int { measures.accepted.reduce(0, +) }
    public var rejected: Int { measures.rejected.reduce(0, +) }
    public var duplicates: Int { measures.duplicates }
    public var batches: Int { measures.batchSizes.count }
}
