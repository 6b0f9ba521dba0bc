import Testing
import WidgetTestSupport

@testable import WidgetWorker

@Suite(.row(25)) struct WorkerReadinessTests {
    @Test("a new worker waits for the broker on both sides")
    func new() {
        #expect(
            Readiness().reasons == [
                "consumer: not connected to the broker yet", "publisher: not connected to the broker yet",
            ])
        #expect(!Readiness().isReady)
    }

    @Test("every fact that keeps the worker from working is a reason of its own")
    func reasons() {
        var readiness = Readiness()
        readiness.source = nil
        readiness.publisher = nil
        #expect(readiness.isReady)
        func reasons(_ change: (inout Readiness) -> Void) -> [String] {
            var changed = readiness
            change(&changed)
            #expect(!changed.isReady)
            return changed.reasons
        }
        #expect(reasons { $0.source = "queue gone" } == ["consumer: queue gone"])
        #expect(reasons { $0.publisher = "no exchange" } == ["publisher: no exchange"])
        #expect(reasons { $0.store = "disk full" } == ["store: disk full"])
        #expect(reasons { $0.isBlocked = true } == ["the broker blocks publishers (memory or disk alarm)"])
        #expect(
            reasons { $0.unroutable = 3 } == ["3 outcomes reach no queue: bind one to the outbound exchanges"])
        #expect(reasons { $0.isDraining = true } == ["the worker is stopping"])
    }

    @Test("a change of readiness is logged once, with its reasons")
    func logged() throws {
        let bench = WorkerBench()
        try bench.until { bench.readinessLines.last == "info ready" }
        bench.source.lose(reason: "gone")
        bench.source.lose(reason: "gone")
        bench.events.post(.publisherLost(reason: "closed"))
        bench.events.post(.publisherBlocked(true))
        bench.events.post(.publisherBlocked(false))
        bench.events.post(.publisherReady)
        bench.source.connect()
        try bench.settle()
        let alarm = "the broker blocks publishers (memory or disk alarm)"
        #expect(
            bench.readinessLines == [
                #"warning not ready reasons="consumer: not connected to the broker yet""#, "info ready",
                #"warning not ready reasons="consumer: gone""#,
                #"warning not ready reasons="consumer: gone; publisher: closed""#,
                #"warning not ready reasons="consumer: gone; publisher: closed; \#(alarm)""#,
                #"warning not ready reasons="consumer: gone; publisher: closed""#,
                #"warning not ready reasons="consumer: gone""#, "info ready",
            ])
        _ = try bench.finish()
        #expect(bench.readinessLines.last == #"warning not ready reasons="the worker is stopping""#)
    }
}
