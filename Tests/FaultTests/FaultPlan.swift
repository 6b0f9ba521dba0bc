import Foundation

/// How much is done, from the environment; `deploy/faults` asks for more than `deploy/test`.
struct FaultPlan {
    /// Determines the updates, and when faults come.
    let seed: UInt64
    /// SIGKILLs at each of the points.
    let kills: Int
    /// Times that every other fault comes.
    let rounds: Int
    /// At most so many at once.
    let workers: Int
    /// The names of the faults; `nil` is all with no more workers.
    let chosen: [String]?

    static let fromEnvironment = FaultPlan(ProcessInfo.processInfo.environment)

    private init(_ environment: [String: String]) {
        seed = environment["WIDGETD_FAULT_SEED"].flatMap(UInt64.init) ?? .random(in: 0...999_999)
        kills = environment["WIDGETD_FAULT_KILLS"].flatMap(Int.init) ?? 4
        rounds = environment["WIDGETD_FAULT_ROUNDS"].flatMap(Int.init) ?? 1
        workers = environment["WIDGETD_FAULT_WORKERS"].flatMap(Int.init) ?? 2
        chosen = environment["WIDGETD_FAULT"].map { $0.split(separator: ",").map(String.init) }
    }
}
