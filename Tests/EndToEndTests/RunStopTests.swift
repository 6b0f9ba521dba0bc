import Glibc
import Testing
import WidgetAMQP
import WidgetTestSupport
import WorkerTestSupport

/// An end that the worker is asked for while it cannot finish.
extension `The command run` {
    @Test(.row(24)) func `ends at once on a second signal, and the next worker does what was in hand`() throws {
        let worker = try WorkerProcess()
        worker.options = ["--drain-timeout", "600"]
        try worker.startAndWait()
        _ = try worker.client.publish(Update.create(worker))
        #expect(worker.waitUntil { worker.messages(in: worker.fanout) == 1 })
        let held = try HeldStore(worker.store)
        _ = try worker.client.publish(Update.patches(worker, 20))
        #expect(worker.waitUntil { worker.messages(in: worker.updates) == 0 })
        worker.signal(SIGTERM)
        #expect(worker.waitUntil { worker.log.contains("the worker is stopping") }, "\(worker.log)")
        #expect(!worker.hasEnded)
        worker.signal(SIGTERM)
        #expect(worker.waitUntil { worker.hasEnded })
        #expect(worker.exitStatus == 1)
        #expect(worker.waitUntil { worker.messages(in: worker.updates) == 20 })
        held.release()
        try worker.startAndWait()
        #expect(worker.waitUntil { worker.messages(in: worker.updates) == 0 })
        #expect(worker.waitUntil { worker.messages(in: worker.fanout) >= 21 }, "\(worker.log)")
        try worker.finish()
        // The confirm of the first state may be unknown to the store: then it comes again.
        let ids = try worker.drain(worker.fanout).compactMap(\.messageID)
        #expect(Array(ids.suffix(20)) == Array(Update.ids(21).dropFirst()))
        #expect(Set(ids) == Set(Update.ids(21)))
    }
}
