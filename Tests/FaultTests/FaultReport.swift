import Synchronization
import Testing

/// What the faults did, a row each.
final class FaultReport: Sendable {
    struct Row: Sendable {
        let fault: String
        var injected = 0
        var messages = 0
        var duplicates = 0
        var lost = 0
        /// Why it was not done.
        var skipped: String?
    }

    static let shared = FaultReport()
    private let rows = Mutex<[Row]>([])

    func add(_ row: Row) { rows.withLock { $0.append(row) } }

    func table(_ seed: UInt64) -> String {
        let head = ["fault", "injected", "messages", "duplicates", "lost"]
        let cells = rows.withLock { rows in
            rows.map { row in
                let counts = [row.injected, row.messages, row.duplicates, row.lost].map(\.description)
                return [row.fault] + (row.skipped.map { ["skipped: \($0)"] } ?? counts)
            }
        }
        let width = (cells.map { $0[0].count } + [head[0].count]).max() ?? 0
        let lines = ([head] + cells).map { cells in
            cells[0] + String(repeating: " ", count: width - cells[0].count)
                + cells.dropFirst().map { String(repeating: " ", count: max(0, 12 - $0.count)) + $0 }.joined()
        }
        return (["Faults, seed \(seed):"] + lines).joined(separator: "\n")
    }
}

/// Prints the table when a suite has ended.
struct WithFaultReport: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        defer { print(FaultReport.shared.table(FaultPlan.fromEnvironment.seed)) }
        try await function()
    }
}
