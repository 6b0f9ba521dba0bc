import Testing
import WidgetJSON
import WidgetTestSupport
import WorkerTestSupport

@Suite(.enabled(if: WidgetdProgram.isThere, WidgetdProgram.absence))
struct `The command apply` {
    private static let pages = #"""
        {"template":"progress","value":0.6,"label":"Pages","subtitle":"6 of 10 acked · INC-2841","icon":"checklist",\#
        "accent_color":"green","stat_rows":[{"label":"Acked","value":"6"},{"label":"Total","value":"10"},\#
        {"label":"Severity","value":"SEV-2"}]}
        """#
    private static let maintenance = #"""
        {"template":"progress","label":"Maintenance","subtitle":"db-primary · read-only",\#
        "icon":"wrench.and.screwdriver.fill","accent_color":"orange","start_date":"2027-05-10T22:00:00Z",\#
        "end_date":"2027-05-11T00:00:00Z","value":0.0}
        """#
    private static let renewal = #"""
        {"template":"countdown","end_date":"2027-05-10T16:13:00Z","start_date":"2027-05-10T13:00:00Z",\#
        "expired_text":"Renewing","label":"Cert renewal","subtitle":"api.example.com","icon":"lock.shield.fill",\#
        "accent_color":"indigo"}
        """#

    private static func create(_ slug: String, _ content: String, more: String = "") -> String {
        #"{"type":"widget.create","slug":"\#(slug)",\#(more)"body":{"name":"N","content":\#(content)}}"#
    }

    /// `accepted`, or the code of a rejection; ` again` for a duplicate.
    private static func words(_ lines: [String]) throws -> [String] {
        try lines.map { line in
            let document = try Document(json: line)
            let word = document.string("code") ?? document.string("outcome") ?? "?"
            return document.member("duplicate") == nil ? word : word + " again"
        }
    }

    private static func apply(_ lines: [String], _ options: [String] = []) throws -> WidgetdProgram.Result {
        try WidgetdProgram.run(["apply"] + options, input: lines.joined(separator: "\n") + "\n")
    }

    @Test func `prints an accepted and a rejected line, with a hint for a percentage`() throws {
        let result = try Self.apply([
            Self.create("oncall-pages", #"{"template":"progress","value":0.6}"#),
            #"{"slug":"oncall-pages","body":{"content":{"value":42}}}"#,
        ])
        #expect(result.status == 0)
        #expect(try Self.words(result.lines) == ["accepted", "widget.content_invalid"])
        let accepted = try Document(json: result.lines[0])
        let widget = try #require(accepted.member("widget"))
        #expect(accepted.json.contains(#""content":{"template":"progress","value":0.6}"#))
        #expect(accepted.string("slug", of: widget) == "oncall-pages")
        #expect(try Document(json: result.lines[1]).string("detail")?.contains("send 0.42") == true)
        #expect(result.errors.contains("1 accepted, 1 rejected"))
    }

    @Test func `takes the bodies of the widgets' documentation as they stand`() throws {
        let bodies = [("pages", Self.pages), ("maintenance", Self.maintenance), ("renewal", Self.renewal)]
        let result = try Self.apply(bodies.map { Self.create($0.0, $0.1) }, ["--now", "2026-11-30T12:00:00Z"])
        #expect(try Self.words(result.lines) == ["accepted", "accepted", "accepted"])
        for (line, (_, body)) in zip(result.lines, bodies) { #expect(line.contains("\"content\":\(body)")) }
    }

    @Test(.row(32)) func `lets a widget grow old, and refuses a date too far ahead`() throws {
        let result = try Self.apply([
            Self.create("cert", Self.renewal, more: #""at":"2026-11-30T12:00:00Z","#),
            #"{"slug":"cert","at":"2027-06-01T00:00:00Z","body":{"content":{"label":"Renewal"}}}"#,
            Self.create("early", Self.renewal, more: #""at":"2026-01-01T00:00:00Z","#),
        ])
        #expect(try Self.words(result.lines) == ["accepted", "accepted", "widget.content_invalid"])
        #expect(result.lines[2].contains("date_horizon"))
    }

    @Test func `answers every line in order, whatever it holds, and skips blank ones`() throws {
        let create = Self.create("a", #"{"template":"status"}"#, more: #""message_id":"m","#)
        let result = try Self.apply([
            create, "", "  ", create, "no JSON", "[]", #"{"slug":7,"body":{}}"#, #"{"slug":"a","raw":"{"}"#,
            #"{"slug":"a","raw_base64":"e30="}"#, #"{"slug":"b","body":{}}"#, #"{"slug":"a","body":{},"at":"soon"}"#,
        ])
        #expect(
            try Self.words(result.lines) == [
                "accepted", "accepted again", "message.malformed", "message.malformed", "message.malformed",
                "message.malformed", "accepted", "widget.not_found", "message.malformed",
            ])
    }

    @Test func `ends with 1 under --strict when something was rejected`() throws {
        #expect(try Self.apply(["{}"], ["--strict", "--quiet"]).status == 1)
        #expect(try Self.apply([Self.create("a", #"{"template":"status"}"#)], ["--strict"]).status == 0)
        #expect(try Self.apply(["{}"], ["--quiet"]).output.isEmpty)
    }

    @Test func `keeps widgets in a file between runs`() throws {
        let folder = try TemporaryFolder()
        let store = ["--store", "sqlite:\(folder.path("w.db"))"]
        _ = try Self.apply([Self.create("a", #"{"template":"value","value":1}"#)], store)
        let again = try Self.apply([#"{"slug":"a","body":{"content":{"unit":"kW"}}}"#], store)
        #expect(again.output.contains(#""content":{"template":"value","value":1,"unit":"kW"}"#))
        #expect(again.output.contains(#""revision":2"#))
    }

    @Test(
        "ends with 2 and one line that names what is wrong",
        arguments: [
            (["apply", "--strickt"], "--strict"), (["apply", "--store", "file:x"], "--store"),
            (["apply", "--now", "noon"], "--now"), (["apply", "--max-widgets", "many"], "--max-widgets"),
            (["apply", "--store"], "--store"), (["apply", "/nowhere/at/all"], "/nowhere/at/all"),
            (["aply"], "apply"), (["run", "--prefetch", "0"], "--prefetch"),
            (["run", "--queue-type", "stream"], "quorum or classic"),
            (["run", "--amqp-url", "http://x"], "--amqp-url"),
            (["run", "--default-account", "a b"], "--default-account"), (["run", "there"], "there"),
            (["run", "--admin", "foo"], "--admin"), (["run", "--dedupe-window", "60"], "1800"),
            (["run", "--fanout-queue", "widgets.updates"], "--queue and --fanout-queue"),
            (["run", "--rejected-exchange", "widgets.accepted"], "--accepted-exchange and --rejected-exchange"),
        ])
    func usage(_ arguments: [String], _ named: String) throws {
        let result = try WidgetdProgram.run(arguments)
        #expect(result.status == 2)
        #expect(result.errorLines.count == 1)
        #expect(result.errors.contains(named), "\(result.errors)")
    }

    @Test func `takes options from the environment, the command line first`() throws {
        let environment = ["WIDGETD_MAX_WIDGETS": "1"]
        let lines = ["a", "b"].map { Self.create($0, #"{"template":"status"}"#) }.joined(separator: "\n")
        let limited = try WidgetdProgram.run(["apply"], input: lines, environment: environment)
        #expect(try Self.words(limited.lines) == ["accepted", "widget.limit_exceeded"])
        let free = try WidgetdProgram.run(["apply", "--max-widgets", "0"], input: lines, environment: environment)
        #expect(try Self.words(free.lines) == ["accepted", "accepted"])
    }

    @Test(arguments: [["--help"], ["apply", "--help"], ["run", "--help"], ["schema", "--help"]])
    func `tells how it is used`(_ arguments: [String]) throws {
        let result = try WidgetdProgram.run(arguments)
        #expect(result.status == 0)
        #expect(result.output.contains("example"))
    }
}
