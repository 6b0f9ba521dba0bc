import Testing
import WidgetAMQP
import WidgetJSON
import WidgetTestSupport
import WorkerTestSupport

/// What is lost around the worker, and a store that is in use.
extension `The command run` {
    private static let create = #"{"name":"Pages","content":{"template":"progress","value":0.6}}"#

    private static func message(_ worker: WorkerProcess, _ body: String, type: String? = nil) -> AMQPMessage {
        var message = AMQPMessage(exchange: worker.updates, routingKey: "acme.pages", body: Array(body.utf8))
        message.type = type
        return message
    }

    @Test(.row(6)) func `publishes an outcome once its exchange is back`() throws {
        let worker = try WorkerProcess()
        try worker.startAndWait()
        _ = try worker.client.publish(Self.message(worker, Self.create, type: "widget.create"))
        #expect(worker.waitUntil { worker.messages(in: worker.fanout) == 1 })
        try worker.client.deleteExchange(worker.accepted)
        _ = try worker.client.publish(Self.message(worker, #"{"content":{"label":"Pages"}}"#))
        #expect(worker.waitUntil { worker.messages(in: worker.fanout) >= 2 }, "\(worker.log)")
        #expect(try worker.drain(worker.fanout).last?.messageID == "acme/pages@2")
        try worker.client.checkExchange(worker.accepted)
        #expect(worker.stop() == 0)
        #expect(worker.messages(in: worker.updates) == 0)
    }

    @Test(.row(7)) func `answers a body of 5 MiB and reads 100 KiB of headers, on one connection`() throws {
        let worker = try WorkerProcess()
        try worker.startAndWait()
        var create = Update.create(worker)
        create.headers = [AMQPHeader("pad", .text(String(repeating: "x", count: 100 * 1024)))]
        let large = Update.patch(worker, String(repeating: " ", count: 5 * 1024 * 1024))
        _ = try worker.client.publish([create, large] + Update.patches(worker, 1))
        #expect(worker.waitUntil { worker.messages(in: worker.fanout) == 2 })
        #expect(worker.waitUntil { worker.messages(in: worker.rejections) == 1 })
        #expect(try worker.drain(worker.rejections).first?.header("code") == .text("message.too_large"))
        #expect(worker.stop() == 0)
        #expect(worker.connections == 2, "\(worker.log)")
    }

    @Test func `keeps apply off its store, and leaves it widgets that apply reads afterwards`() throws {
        let worker = try WorkerProcess()
        try worker.startAndWait()
        _ = try worker.client.publish(Self.message(worker, Self.create, type: "widget.create"))
        #expect(worker.waitUntil { worker.messages(in: worker.fanout) == 1 })
        let place = try #require(worker.arguments.firstIndex(of: "--store"))
        let apply = ["apply"] + worker.arguments[place...(place + 1)]
        let patch = #"{"account":"acme","slug":"pages","body":{"content":{"label":"Pages"}}}"#
        let refused = try WidgetdProgram.run(apply, input: patch)
        #expect(refused.status == 3)
        #expect(refused.errorLines.count == 1)
        #expect(refused.output.isEmpty)
        #expect(worker.stop() == 0)
        let taken = try WidgetdProgram.run(apply, input: patch)
        #expect(taken.status == 0)
        #expect(taken.output.contains(#""revision":2"#))
        #expect(taken.output.contains(#""content":{"template":"progress","value":0.6,"label":"Pages"}"#))
    }
}
