import Testing
import WorkerTestSupport

/// Something that goes wrong while workers take a stream of updates, and how it is brought about.
struct Fault: Sendable, CustomTestStringConvertible {
    /// How `WIDGETD_FAULT` and the table call it.
    let name: String
    var ids = UpdateStream.IDs.some
    var reusesIDs = true
    /// States may reach the queue after newer ones of their widget.
    var comesLate = false
    /// Several share the updates over shards and their state in Redis.
    var workers = 1
    let inject: @Sendable (FaultTrial, FaultPlan) throws -> Void

    var testDescription: String { name }

    static let all: [Fault] = kills + broker + topology + network + store + [wrongClock] + manyWorkers + sharedStore

    static var chosen: [Fault] {
        let plan = FaultPlan.fromEnvironment
        guard let names = plan.chosen else { return all.filter { $0.workers <= plan.workers } }
        return all.filter { names.contains($0.name) }
    }
}

/// A fault that cannot be brought about here.
struct FaultSkipped: Error {
    let reason: String
}
