import Testing
import WidgetAMQP
import WidgetTestSupport
import WorkerTestSupport

@Suite(.enabled(if: WorkerProcess.isPossible, WorkerProcess.absence), .serialized)
struct `The command run with shards` {
    private static let create = #"{"name":"Pages","content":{"template":"progress","value":0.6}}"#

    @Test func `takes the shards that it is told, and leaves the others to another worker`() throws {
        let server = try RedisServer()
        let worker = try WorkerProcess()
        (worker.storeAddress, worker.shards) = (server.url(), 4)
        worker.options = ["--consume", "2-3"]
        let other = try WorkerProcess(beside: worker)
        other.options = ["--consume", "0-1"]
        try worker.startAndWait()
        let widgets = 40
        _ = try worker.client.publish(
            (0..<widgets).map { number in
                var message = AMQPMessage(
                    exchange: worker.updates, routingKey: "acme.w\(number)", body: Array(Self.create.utf8))
                message.type = "widget.create"
                return message
            })
        let left = { worker.updatesQueues[...1].map(worker.messages).reduce(0, +) }
        #expect(worker.waitUntil { worker.hasEnded || worker.messages(in: worker.fanout) == widgets - left() })
        #expect(!worker.hasEnded && left() > 0 && left() < widgets, "\(worker.log)")
        try other.startAndWait()
        #expect(worker.waitUntil { worker.messages(in: worker.fanout) == widgets }, "\(other.log)")
        #expect([worker.stop(), other.stop()] == [0, 0])
    }
}
