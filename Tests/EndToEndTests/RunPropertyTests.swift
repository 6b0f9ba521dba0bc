import Testing
import WidgetAMQP
import WidgetContract
import WidgetJSON
import WidgetTestSupport
import WidgetTime
import WorkerTestSupport

/// What outcomes carry beside their bodies.
extension `The command run` {
    private static let create = #"{"name":"Pages","content":{"template":"progress","value":0.6}}"#

    private static func message(
        _ worker: WorkerProcess, _ body: String, key: String = "acme.pages", type: String? = nil, id: String? = nil
    ) -> AMQPMessage {
        var message = AMQPMessage(exchange: worker.updates, routingKey: key, body: Array(body.utf8))
        message.type = type
        message.messageID = id
        return message
    }

    private static func body(_ message: AMQPMessage) throws -> Document {
        try Document(json: String(decoding: message.body, as: UTF8.self))
    }

    private static func names(_ message: AMQPMessage) -> [String] { message.headers.map(\.name).sorted() }

    @Test func `a state and a deletion carry key, type, id, time and headers`() throws {
        let worker = try WorkerProcess()
        try worker.startAndWait()
        var create = Self.message(worker, Self.create, type: "widget.create")
        create.headers = [
            AMQPHeader("traceparent", .text("00-1-2-01")), AMQPHeader("tracestate", .text("vendor=1")),
        ]
        _ = try worker.client.publish([create, Self.message(worker, "", type: "widget.delete")])
        #expect(worker.waitUntil { worker.messages(in: worker.fanout) == 2 })
        let outcomes = try worker.drain(worker.fanout)
        try #require(outcomes.count == 2)
        #expect(outcomes.map(\.exchange) == [worker.accepted, worker.accepted])
        #expect(outcomes.map(\.routingKey) == ["acme.pages.progress", "acme.pages.deleted"])
        #expect(outcomes.map(\.type) == ["widget.accepted", "widget.deleted"])
        #expect(outcomes.map(\.messageID) == ["acme/pages@1", "acme/pages@2"])
        #expect(outcomes.map(\.contentType) == ["application/json", "application/json"])
        #expect(outcomes.map(\.isPersistent) == [true, true])
        #expect(outcomes.map { $0.header("account") } == [.text("acme"), .text("acme")])
        #expect(outcomes.map { $0.header("slug") } == [.text("pages"), .text("pages")])
        #expect(outcomes.map { $0.header("revision") } == [.integer(1), .integer(2)])
        #expect(outcomes[0].header("traceparent") == .text("00-1-2-01"))
        #expect(outcomes[0].header("tracestate") == .text("vendor=1"))
        #expect(outcomes[0].header("min_app_version") == nil)
        for outcome in outcomes {
            let updated = try #require(try Self.body(outcome).string("updated_at"))
            let time = try #require(DateTimeText.read(Array(updated.utf8)[...]))
            #expect(outcome.timestamp == time.milliseconds / 1000)
        }
        let deletion = try Self.body(outcomes[1])
        #expect(deletion.json.hasPrefix(#"{"account":"acme","slug":"pages","revision":2,"deleted":true,"updated_at":"#))
        #expect(worker.stop() == 0)
    }

    @Test func `a rejection carries its address, its code and the message it is about`() throws {
        let worker = try WorkerProcess()
        try worker.startAndWait()
        _ = try worker.client.publish([
            Self.message(worker, Self.create, type: "widget.create"),
            Self.message(worker, #"{"content":{"value":42,"accent_color":7},"nme":"x"}"#, id: "r-1"),
            Self.message(worker, "{}", key: "pages"), Self.message(worker, "{", key: "acme.pages"),
        ])
        #expect(worker.waitUntil { worker.messages(in: worker.rejections) == 3 })
        let found = try worker.drain(worker.rejections)
        try #require(found.count == 3)
        // In order are those of a widget.
        let rejections = found.filter { $0.header("slug") != nil } + found.filter { $0.header("slug") == nil }
        #expect(
            rejections.map(\.routingKey) == [
                "acme.pages.widget.invalid", "acme.pages.message.malformed", "_._.message.address_missing",
            ])
        #expect(rejections.allSatisfy { $0.type == "widget.rejected" && $0.isPersistent })
        #expect(rejections.allSatisfy { $0.contentType == "application/problem+json" })
        #expect(Self.names(rejections[0]) == ["account", "code", "slug"])
        let ids = rejections.compactMap(\.messageID)
        #expect(ids.first == "rejected:r-1")
        #expect(Set(ids).count == 3)
        let problem = try Self.body(rejections[0])
        let faults = try #require(problem.member("errors"))
        let places = problem.elements(of: faults).compactMap { problem.string("location", of: $0) }
        #expect(places == ["/content/value", "/content/accent_color", "/nme"])
        #expect(
            problem.json.contains(
                #""original":{"type":"widget.patch","exchange":"\#(worker.updates)","routing_key":"acme.pages","#
                    + #""body":{"content":{"value":42,"accent_color":7},"nme":"x"}}"#))
        #expect(try Self.body(rejections[1]).json.contains(#""body_base64":"ew==""#))
        #expect(worker.stop() == 0)
    }

    @Test func `a receipt tells its sender's ids, and a problem without the original`() throws {
        let worker = try WorkerProcess()
        try worker.startAndWait()
        let replies = try worker.client.declareQueue(exclusive: true).name
        var messages = [
            Self.message(worker, Self.create, type: "widget.create", id: "c"),
            Self.message(worker, #"{"content":{"value":42}}"#, id: "r"),
            Self.message(worker, "", type: "widget.delete"),
        ]
        for index in messages.indices { messages[index].replyTo = replies }
        messages[1].correlationID = "call-2"
        _ = try worker.client.publish(messages)
        #expect(worker.waitUntil { worker.messages(in: replies) == 3 })
        let receipts = try worker.drain(replies)
        try #require(receipts.count == 3)
        #expect(receipts.map(\.messageID) == ["receipt:c", "receipt:r", nil])
        #expect(receipts.map(\.correlationID) == ["c", "call-2", nil])
        let bodies = try receipts.map(Self.body)
        #expect(bodies.map { $0.string("outcome") } == ["accepted", "rejected", "accepted"])
        #expect(bodies[0].json.contains(#""changed":["/name","/content/template","/content/value"]"#))
        #expect(bodies[1].string("code") == "widget.content_invalid")
        #expect(bodies[1].member("original") == nil)
        #expect(bodies[2].member("changed") == nil)
        #expect(worker.waitUntil { worker.messages(in: worker.fanout) == 2 })
        #expect(worker.waitUntil { worker.messages(in: worker.rejections) == 1 })
        #expect(worker.stop() == 0)
    }
}
