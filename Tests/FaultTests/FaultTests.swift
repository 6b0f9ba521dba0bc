import Testing
import WidgetTestSupport
import WorkerTestSupport

@Suite(
    .enabled(if: WidgetdProgram.isThere, WidgetdProgram.absence),
    .enabled(if: PrivateBroker.isPossible, PrivateBroker.absence), .serialized,
    WithPrivateBroker(plugins: "rabbitmq_consistent_hash_exchange"), WithFaultReport(), .row(15))
struct `Whatever breaks` {
    @Test(arguments: Fault.chosen)
    func `every message has one decision, and every decision reaches the exchange`(_ fault: Fault) throws {
        let plan = FaultPlan.fromEnvironment
        let trial = try FaultTrial(of: fault, seed: plan.seed)
        do {
            try fault.inject(trial, plan)
        } catch let error as FaultSkipped {
            print("SKIPPED \(fault.name): \(error.reason)")
            FaultReport.shared.add(FaultReport.Row(fault: fault.name, skipped: error.reason))
            return
        }
        let model = try Model(trial.published)
        try trial.settle(as: model)
        FaultReport.shared.add(try trial.compare(with: model))
    }

    @Test func `a fault that is asked for is one of the table`() {
        let unknown = Set(FaultPlan.fromEnvironment.chosen ?? []).subtracting(Fault.all.map(\.name))
        #expect(unknown.isEmpty, "known are \(Fault.all.map(\.name).joined(separator: ", "))")
    }
}
