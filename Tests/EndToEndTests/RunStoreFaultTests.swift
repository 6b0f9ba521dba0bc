import Testing
import WidgetAMQP
import WidgetTestSupport
import WorkerTestSupport

/// A store that takes its time.
extension `The command run` {
    @Test(.row(5), .row(23)) func `keeps its connections and each widget's order while the store cannot be written`()
        throws
    {
        // The broker drops a peer that is silent for two heartbeats.
        let worker = try WorkerProcess(url: try #require(WorkerProcess.url) + "?heartbeat=1")
        try worker.startAndWait()
        _ = try worker.client.publish(Update.create(worker))
        #expect(worker.waitUntil { worker.messages(in: worker.fanout) == 1 })
        let held = try HeldStore(worker.store)
        _ = try worker.client.publish(Update.patches(worker, 20))
        #expect(
            !worker.waitUntil(seconds: 5) { worker.messages(in: worker.fanout) > 1 || worker.connections > 2 }
        )
        #expect(try worker.client.status(ofQueue: worker.updates).consumers == 1)
        held.release()
        #expect(worker.waitUntil { worker.messages(in: worker.fanout) == 21 })
        let states = try worker.drain(worker.fanout)
        #expect(states.map(\.messageID) == Update.ids(21))
        let newest = String(decoding: try #require(states.last).body, as: UTF8.self)
        #expect(newest.contains(#""subtitle":"20""#))
        #expect(worker.stop() == 0)
        #expect(worker.connections == 2, "\(worker.log)")
    }

    @Test(.row(12)) func `leaves nothing for redelivery but what it has not finished`() throws {
        let worker = try WorkerProcess()
        try worker.startAndWait()
        _ = try worker.client.publish([Update.create(worker)] + Update.patches(worker, 30))
        #expect(worker.waitUntil { worker.messages(in: worker.fanout) == 31 })
        let held = try HeldStore(worker.store)
        _ = try worker.client.publish(Update.patch(worker, #"{"content":{"subtitle":"last"}}"#))
        #expect(worker.waitUntil { worker.messages(in: worker.updates) == 0 })
        #expect(!worker.waitUntil(seconds: 2) { worker.messages(in: worker.fanout) > 31 })
        worker.kill()
        #expect(worker.waitUntil { worker.messages(in: worker.updates) == 1 })
        held.release()
        try worker.startAndWait()
        #expect(worker.waitUntil { worker.messages(in: worker.fanout) >= 32 }, "\(worker.log)")
        try worker.finish()
        // Outcomes whose confirms the store could not note go out again.
        let ids = try worker.drain(worker.fanout).compactMap(\.messageID)
        #expect(Array(ids.prefix(31)) == Update.ids(31))
        #expect(Set(ids) == Set(Update.ids(32)))
    }
}
