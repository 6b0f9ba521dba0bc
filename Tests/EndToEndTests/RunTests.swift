import Testing
import WidgetAMQP
import WidgetJSON
import WidgetTestSupport
import WorkerTestSupport

@Suite(.enabled(if: WorkerProcess.isPossible, WorkerProcess.absence), .serialized)
struct `The command run` {
    private static func update(
        _ worker: WorkerProcess, _ body: String, key: String = "acme.pages", type: String? = nil, id: String? = nil
    ) -> AMQPMessage {
        var message = AMQPMessage(exchange: worker.updates, routingKey: key, body: Array(body.utf8))
        message.type = type
        message.messageID = id
        return message
    }

    private static let create = #"{"name":"Pages","content":{"template":"progress","value":0.6}}"#

    @Test func `publishes merged content and the reasons of a rejection`() throws {
        let worker = try WorkerProcess()
        try worker.startAndWait()
        var last = Self.update(worker, #"{"content":{"value":42}}"#, id: "r-17")
        last.headers = [AMQPHeader("traceparent", .text("00-1-2-01"))]
        _ = try worker.client.publish([
            Self.update(worker, Self.create, type: "widget.create"),
            Self.update(worker, #"{"content":{"label":"Pages"}}"#), last,
        ])
        #expect(
            worker.waitUntil { worker.messages(in: worker.fanout) == 2 && worker.messages(in: worker.rejections) == 1 })
        let merged = try #require(try worker.drain(worker.fanout).last)
        #expect(merged.messageID == "acme/pages@2")
        #expect(merged.type == "widget.accepted")
        #expect(merged.isPersistent)
        #expect(merged.header("revision") == .integer(2))
        #expect(merged.header("template") == .text("progress"))
        let body = try Document(json: String(decoding: merged.body, as: UTF8.self))
        #expect(body.json.contains(#""content":{"template":"progress","value":0.6,"label":"Pages"}"#))
        #expect(body.json.contains(#""changed":["/content/label"]"#))
        let problem = try #require(try worker.drain(worker.rejections).first)
        #expect(problem.messageID == "rejected:r-17")
        #expect(problem.contentType == "application/problem+json")
        #expect(problem.header("code") == .text("widget.content_invalid"))
        #expect(problem.header("traceparent") == .text("00-1-2-01"))
        #expect(worker.stop() == 0)
    }

    @Test func `answers a sender who asks, and a repeat with the first outcome`() throws {
        let worker = try WorkerProcess()
        try worker.startAndWait()
        let replies = try worker.client.declareQueue(exclusive: true).name
        var create = Self.update(worker, Self.create, type: "widget.create", id: "c")
        create.replyTo = replies
        _ = try worker.client.publish([create, create])
        #expect(worker.waitUntil { worker.messages(in: replies) == 2 })
        let receipts = try worker.drain(replies)
        #expect(receipts.map(\.correlationID) == ["c", "c"])
        let texts = receipts.map { String(decoding: $0.body, as: UTF8.self) }
        #expect(texts[0].contains(#""outcome":"accepted""#) && !texts[0].contains("duplicate"))
        #expect(texts[1].contains(#""duplicate":true"#) && texts[1].contains(#""revision":1"#))
        #expect(worker.waitUntil { worker.messages(in: worker.fanout) == 1 })
    }

    @Test func `gives any bytes exactly one rejection, and their neighbours their outcomes`() throws {
        let worker = try WorkerProcess()
        try worker.startAndWait()
        var random = SeededRandom(seed: 7)
        var messages = [Self.update(worker, Self.create, type: "widget.create")]
        for index in 0..<200 {
            var bytes = AMQPMessage(exchange: worker.updates, routingKey: "acme.pages")
            // A first byte that begins no JSON value keeps them from being legal by accident.
            bytes.body =
                [0xFF]
                + (0..<Int.random(in: 0..<300, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
            messages.append(bytes)
            messages.append(Self.update(worker, #"{"content":{"value":0.\#(1000 + index)}}"#))
        }
        _ = try worker.client.publish(messages)
        #expect(worker.waitUntil { worker.messages(in: worker.fanout) == 201 })
        #expect(worker.waitUntil { worker.messages(in: worker.rejections) == 200 })
        #expect(worker.stop() == 0)
        #expect(worker.messages(in: worker.updates) == 0)
    }

    @Test(.row(24)) func `hands back on SIGTERM what it has not begun, and goes on after a restart`() throws {
        let worker = try WorkerProcess()
        try worker.startAndWait()
        _ = try worker.client.publish(Self.update(worker, Self.create, type: "widget.create"))
        for _ in 0..<3 {
            _ = try worker.client.publish(
                (0..<500).map { Self.update(worker, #"{"content":{"subtitle":"\#($0)"}}"#) })
            #expect(worker.stop() == 0)
            try worker.startAndWait()
        }
        #expect(worker.waitUntil { worker.messages(in: worker.fanout) == 1_501 })
        #expect(worker.messages(in: worker.updates) == 0)
        let ids = try worker.drain(worker.fanout).compactMap(\.messageID)
        #expect(ids == (1...1_501).map { "acme/pages@\($0)" })
    }

    @Test(.row(34)) func `refuses a store that another worker has`() throws {
        let worker = try WorkerProcess()
        try worker.startAndWait()
        let second = try WidgetdProgram.run(
            worker.arguments, environment: ["WIDGETD_AMQP_URL": WorkerProcess.url ?? ""])
        #expect(second.status == 3)
        #expect(second.errorLines.count == 1)
        #expect(second.errors.contains("redis://"))
    }

    @Test(.row(27)) func `says that a password is wrong, not the password, and waits`() throws {
        let url = try #require(WorkerProcess.url)
        let address = try AMQPAddress(url)
        let result = try WidgetdProgram.run(
            ["run", "--store", "memory:", "--drain-timeout", "1"], endingWhen: "refuse",
            environment: ["WIDGETD_AMQP_URL": "amqp://guest:secret-word@\(address.host):\(address.port)/%2f"])
        #expect(result.errors.contains("refuse"))
        #expect(!result.errors.contains("secret-word"))
    }
}
