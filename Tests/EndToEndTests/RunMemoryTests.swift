import Testing
import WidgetAMQP
import WidgetTestSupport
import WorkerTestSupport

/// What bodies that inflate to far more than they are may cost.
extension `The command run` {
    @Test(.row(19)) func `refuses bombs with less than 64 MiB over what it takes for anything else`() throws {
        let worker = try WorkerProcess()
        // The largest limit there is, and what fits it: each inflates to more than the bound.
        worker.options = ["--max-body", "524288"]
        var bomb = AMQPMessage(exchange: worker.updates, routingKey: "acme.pages", body: Gzip.bomb(atLeast: 79_000_000))
        bomb.contentEncoding = "gzip"
        try #require(bomb.body.count < 524_288)
        try worker.startAndWait()
        _ = try worker.client.publish(Update.create(worker))
        #expect(worker.waitUntil { worker.messages(in: worker.fanout) == 1 })
        let before = try worker.memory("VmRSS")
        _ = try worker.client.publish(Array(repeating: bomb, count: 5))
        #expect(worker.waitUntil { worker.messages(in: worker.rejections) == 5 })
        #expect(try worker.memory("VmHWM") - before < 64 << 20)
        let codes = try worker.drain(worker.rejections).map { $0.header("code") }
        #expect(codes == Array(repeating: .text("message.too_large"), count: 5))
        #expect(worker.stop() == 0)
    }
}
