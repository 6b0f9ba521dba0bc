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
    let inject: @Sendable (FaultTrial, FaultPlan) throws -> Void

    var testDescription: String { name }

    static let all: [Fault] = kills + broker + topology + network + store + [wrongClock]

    static var chosen: [Fault] {
        guard let names = FaultPlan.fromEnvironment.chosen else { return all }
        return all.filter { names.contains($0.name) }
    }
}

/// A fault that cannot be brought about here.
struct FaultSkipped: Error {
    let reason: String
}
