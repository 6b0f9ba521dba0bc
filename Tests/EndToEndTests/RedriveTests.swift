import Foundation
import Testing
import WidgetAMQP
import WidgetJSON
import WidgetTestSupport
import WorkerTestSupport

@Suite(.enabled(if: WorkerProcess.isPossible, WorkerProcess.absence), .serialized)
struct `The command redrive` {
    private static let create = #"{"name":"Pages","content":{"template":"progress","value":0.6}}"#
    private static let notFound = ["--code", "widget.not_found"]

    private static func redrive(_ worker: WorkerProcess, _ arguments: [String]) throws -> WidgetdProgram.Result {
        try WidgetdProgram.run(
            ["redrive", "--rejections-queue", worker.rejections] + arguments,
            environment: ["WIDGETD_AMQP_URL": worker.url])
    }

    private static func message(
        _ worker: WorkerProcess, _ body: String, key: String = "acme.pages", type: String? = nil, id: String? = nil
    ) -> AMQPMessage {
        var message = AMQPMessage(exchange: worker.updates, routingKey: key, body: Array(body.utf8))
        message.type = type
        message.messageID = id
        return message
    }

    /// Patches of a slug that nobody has created, and of others between them.
    private static func reject(_ worker: WorkerProcess, _ count: Int) throws {
        let patches = (0..<count).flatMap { number in
            [
                message(
                    worker, #"{"content":{"subtitle":"\#(number)"}}"#, id: number.isMultiple(of: 2) ? "m\(number)" : nil
                ),
                message(worker, #"{"content":{"subtitle":"other"}}"#, key: "acme.other", id: "o\(number)"),
            ]
        }
        _ = try worker.client.publish(patches)
        #expect(worker.waitUntil { worker.messages(in: worker.rejections) == 2 * count }, "\(worker.log)")
    }

    private static func subtitles(_ worker: WorkerProcess) throws -> [String] {
        try worker.drain(worker.fanout).compactMap { message in
            let document = try Document(json: String(decoding: message.body, as: UTF8.self))
            return document.member("content").flatMap { document.string("subtitle", of: $0) }
        }
    }

    private static func ids(_ messages: [AMQPMessage]) -> [String?] { messages.map(\.messageID) }

    @Test(arguments: ["classic", "quorum"])
    func `applies in order what came too early, and leaves the rest in its place`(_ type: String) throws {
        let worker = try WorkerProcess()
        worker.options = ["--queue-type", type]
        try worker.startAndWait()
        try Self.reject(worker, 30)
        _ = try worker.client.publish(Self.message(worker, Self.create, type: "widget.create"))
        let result = try Self.redrive(worker, Self.notFound + ["--slug", "pages", "--since", "1h"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.isEmpty)
        #expect(result.errorLines == ["30 sent in, 0 refused, 30 others left in place"])
        #expect(worker.waitUntil { worker.messages(in: worker.fanout) == 31 })
        #expect(try Self.subtitles(worker) == (0..<30).map { "\($0)" })
        #expect(worker.waitUntil { worker.messages(in: worker.rejections) == 30 })
        #expect(Self.ids(try worker.drain(worker.rejections)) == (0..<30).map { "rejected:o\($0)" })
        #expect(worker.stop() == 0)
    }

    @Test func `lists and changes nothing in a dry run`() throws {
        let worker = try WorkerProcess()
        try worker.startAndWait()
        try Self.reject(worker, 3)
        let table = try Self.redrive(worker, ["--slug", "pages", "--dry-run"])
        #expect(table.status == 0)
        #expect(table.errorLines == ["3 to be sent in, 0 refused, 3 others left in place"])
        #expect(table.lines.count == 4)
        #expect(table.lines[0].hasPrefix("RECEIVED"))
        #expect(table.lines[1].contains("acme/pages") && table.lines[1].contains("m0"))
        let json = try Self.redrive(worker, ["--slug", "pages", "--dry-run", "--json", "--limit", "2"])
        let lines = try json.lines.map { try Document(json: $0) }
        #expect(lines.map { $0.string("outcome") } == ["selected", "selected"])
        #expect(lines[0].string("message_id") == "redrive:rejected:m0")
        #expect(lines[0].string("routing_key") == "acme.pages")
        #expect(worker.waitUntil { worker.messages(in: worker.rejections) == 6 })
        #expect(worker.messages(in: worker.updates) == 0)
        let left = Self.ids(try worker.drain(worker.rejections)).filter { $0?.hasPrefix("rejected:o") == true }
        #expect(left == (0..<3).map { "rejected:o\($0)" })
    }

    @Test(arguments: ["classic", "quorum"])
    func `loses nothing and applies nothing twice when it is killed, again and again`(_ type: String) throws {
        let count = 1_000
        let worker = try WorkerProcess()
        worker.options = ["--queue-type", type]
        try worker.startAndWait()
        try Self.reject(worker, count)
        #expect(worker.stop() == 0)
        _ = try worker.client.publish(Self.message(worker, Self.create, type: "widget.create"))
        // Slow enough that each is killed on its way, however busy the machine is.
        let port = try AMQPAddress(worker.url).port
        let relay = try Relay(to: port)
        defer { relay.close() }
        relay.setPace(bytesPerSecond: 300_000)
        for _ in 0..<3 {
            let process = Process()
            process.executableURL = URL(filePath: try #require(WidgetdProgram.path))
            process.arguments = ["redrive", "--rejections-queue", worker.rejections, "--slug", "pages"]
            process.environment = ProcessInfo.processInfo.environment.merging(
                ["WIDGETD_AMQP_URL": worker.url.replacing(":\(port)/", with: ":\(relay.port)/")]) { $1 }
            process.standardError = FileHandle.nullDevice
            let before = worker.messages(in: worker.updates)
            let more = Int.random(in: 1...count / 4)
            try process.run()
            #expect(worker.waitUntil { worker.messages(in: worker.updates) >= before + more })
            #expect(process.isRunning)
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            // What it held comes back when the broker has noticed.
            #expect(worker.waitUntil { (try? worker.client.status(ofQueue: worker.rejections).consumers) == 0 })
        }
        let last = try Self.redrive(worker, ["--slug", "pages"])
        #expect(last.status == 0, "\(last.errors)")
        try worker.startAndWait()
        #expect(worker.waitUntil { worker.messages(in: worker.fanout) == count + 1 }, "\(worker.log)")
        #expect(worker.waitUntil { worker.messages(in: worker.updates) == 0 })
        #expect(worker.stop() == 0)
        #expect(try Self.subtitles(worker) == (0..<count).map { "\($0)" })
        #expect(worker.messages(in: worker.rejections) == count)
    }

    @Test func `refuses with a word what it cannot send whole, and what no queue takes`() throws {
        let worker = try WorkerProcess()
        try worker.startAndWait()
        let long = String(repeating: "x", count: 70_000)
        _ = try worker.client.publish([
            Self.message(worker, #"{"name":"\#(long)"}"#),
            Self.message(worker, #"{"content":{"tap_action":{"url":"app:x","headers":{"A":"s3cret"}}}}"#),
            Self.message(worker, "{}"),
        ])
        #expect(worker.waitUntil { worker.messages(in: worker.rejections) == 3 })
        #expect(worker.stop() == 0)
        try worker.client.unbindQueue(worker.updates, from: worker.updates, key: "#")
        let result = try Self.redrive(worker, Self.notFound)
        #expect(result.status == 1)
        for words in ["0 sent in, 3 refused", "truncated", "redacted", "no queue takes it from"] {
            #expect(result.errors.contains(words), "\(result.errors)")
        }
        try worker.client.deleteExchange(worker.updates)
        let gone = try Self.redrive(worker, Self.notFound + ["--json"])
        #expect(gone.status == 1)
        #expect(gone.errors.contains("there is no exchange \(worker.updates)"))
        #expect(gone.lines.count == 3 && gone.lines.allSatisfy { $0.contains(#""outcome":"refused""#) })
        #expect(worker.waitUntil { worker.messages(in: worker.rejections) == 3 })
    }

    @Test func `sends in through the default exchange with its account`() throws {
        let worker = try WorkerProcess()
        try worker.startAndWait()
        var patch = AMQPMessage(routingKey: worker.updates, body: Array(#"{"slug":"pages","name":"New"}"#.utf8))
        patch.headers = [AMQPHeader("account", .text("acme"))]
        _ = try worker.client.publish(patch)
        #expect(worker.waitUntil { worker.messages(in: worker.rejections) == 1 })
        _ = try worker.client.publish(Self.message(worker, Self.create, type: "widget.create"))
        #expect(try Self.redrive(worker, ["--account", "acme"]).status == 0)
        #expect(worker.waitUntil { worker.messages(in: worker.fanout) == 2 })
        #expect(Self.ids(try worker.drain(worker.fanout)) == ["acme/pages@1", "acme/pages@2"])
        #expect(worker.messages(in: worker.rejections) == 0)
    }

    @Test func `says in one sentence what is missing`() throws {
        let worker = try WorkerProcess()
        let gone = try Self.redrive(worker, Self.notFound)
        #expect(gone.status == 3 && gone.errorLines.count == 1)
        #expect(gone.errors.contains("no queue '\(worker.rejections)'") && gone.errors.contains("--rejections-queue"))
        worker.url = "amqp://guest:guest@127.0.0.1:1/%2f"
        let away = try Self.redrive(worker, Self.notFound)
        #expect(away.status == 3 && away.errorLines.count == 1)
        #expect(away.errors.contains("does a broker listen there?"))
        for (arguments, words) in [
            ([], "at least one of --code"), (["--code", "widget.not_fond"], "did you mean widget.not_found"),
            (["--since", "yesterday"], "2h"), (["--slug", "Not A Slug"], "must match"),
            (["--limit", "0", "--slug", "a"], "whole number"), (["x", "--slug", "a"], "found \"x\""),
        ] {
            let result = try Self.redrive(worker, arguments)
            #expect(result.status == 2 && result.errorLines.count == 1, "\(result.errors)")
            #expect(result.errors.contains(words), "\(result.errors)")
        }
    }
}
