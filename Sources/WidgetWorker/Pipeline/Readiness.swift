/// Whether the worker works, and what keeps it from it.
public struct Readiness: Equatable, Sendable {
    /// Why nothing is consumed.
    var source: String? = "not connected to the broker yet"
    /// Why nothing is published.
    var publisher: String? = "not connected to the broker yet"
    /// Why nothing is stored.
    var store: String?
    var isBlocked = false
    var unroutable = 0
    var isDraining = false

    public init() {}

    /// What is not as it should be; empty when the worker is ready.
    public var reasons: [String] {
        var reasons: [String] = []
        if isDraining { reasons.append("the worker is stopping") }
        if let source { reasons.append("consumer: \(source)") }
        if let publisher { reasons.append("publisher: \(publisher)") }
        if let store { reasons.append("store: \(store)") }
        if isBlocked { reasons.append("the broker blocks publishers (memory or disk alarm)") }
        if unroutable > 0 {
            reasons.append("\(unroutable) outcomes reach no queue: bind one to the outbound exchanges")
        }
        return reasons
    }

    /// The worker was asked to end.
    public var isStopping: Bool { isDraining }

    public var isReady: Bool { reasons.isEmpty }
}
