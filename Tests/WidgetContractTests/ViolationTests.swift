import Testing
import WidgetContract
import WidgetJSON
import WidgetTestSupport

struct `Violations` {
    @Test func `are listed all at once, as the document stands`() throws {
        let body = """
            {"push_throttle": 0, "content": {"value": "x", "template": "gauge", "zz": 1, "points": [1e400],
             "devices": [{"level": 101, "color": "black"}, 5], "min_value": 3,
             "tap_action": {"method": "FETCH", "url": "javascript:x"}, "max_value": 2}, "stale_after": 1.5}
            """
        let rejection = try Trial.reject(.create, body)
        #expect(
            rejection.faults == [
                "range /push_throttle", "type /content/value", "unknown_field /content/zz", "min_items /content/points",
                "finite /content/points/0", "range /content/devices/0/level", "color /content/devices/0/color",
                "required /content/devices/0/name", "type /content/devices/1", "order /content/min_value",
                "enum /content/tap_action/method", "http_only /content/tap_action/method",
                "url_scheme /content/tap_action/url", "type /stale_after", "required /name",
            ])
        #expect(rejection.code == .widgetInvalid)
        #expect(rejection.detail.hasSuffix("(and 14 more)"))
    }

    @Test func `of a patch stand in the patch's order at the top, and in the merged content's below it`() throws {
        let widget = try Trial.widget(#"{"name":"n","content":{"template":"value","label":"l","unit":"u"}}"#)
        let patch = #"{"stale_after":1,"content":{"unit":1,"zz":1,"label":2},"name":""}"#
        #expect(
            try Trial.reject(.patch, patch, on: widget).faults == [
                "range /stale_after", "type /content/label", "type /content/unit", "unknown_field /content/zz",
                "not_blank /name",
            ])
    }

    @Test func `of an address that the body holds stand where it does`() throws {
        let body = #"{"name":"","slug":"a b","content":{"template":"x"}}"#
        #expect(
            try Trial.reject(.create, body, slug: "a b").faults == [
                "not_blank /name", "pattern /slug", "enum /content/template",
            ])
        #expect(
            try Trial.reject(.create, body, slug: "a b", account: "?").faults == [
                "pattern /account", "not_blank /name", "pattern /slug", "enum /content/template",
            ])
    }

    @Test func `show short scalars, and nothing long or nested`() throws {
        let long = "x" * 300
        let body =
            #"{"name":"n","content":{"template":"value","unit":"\#(long)","trend":"a\"b","points":{},"value":"5"}}"#
        let values = try Trial.reject(.create, body).violations.map {
            $0.value.map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(values == [nil, #""a\"b""#, nil, #""5""#])
    }

    @Test(arguments: [
        (#"{"content":{"value":5}}"#, RejectionCode.contentInvalid), (#"{"content":null}"#, .contentInvalid),
        (#"{"content":{"zz":1}}"#, .contentInvalid), (#"{"contents":{}}"#, .widgetInvalid),
        (#"{"content":[]}"#, .contentInvalid),
        (#"{"content":{"value":5},"name":null}"#, .widgetInvalid), (#"{"push_throttle":0}"#, .widgetInvalid),
        (#"{"stale_after":""}"#, .widgetInvalid), (#"{"content":{"/":1}}"#, .contentInvalid),
    ])
    func `of the content alone have a code of their own`(_ patch: String, _ code: RejectionCode) throws {
        let widget = try Trial.widget(#"{"name":"n","content":{"template":"progress","value":0.5}}"#)
        let rejection = try Trial.reject(.patch, patch, on: widget)
        #expect(rejection.code == code)
        #expect(rejection.code.status == 422)
        #expect(rejection.code.title == "Unprocessable Content")
    }
}

struct `Stored violations` {
    /// Legal when it was written, by a clock that ran ahead.
    private static let stored =
        #"{"name":"n","content":{"template":"progress","value":42,"end_date":"2027-12-31T00:00:00Z","label":"l","#
        + #""devices":[{"name":"n","level":500}]}}"#

    private static let vectors: [Vector] = [
        .patch(
            "a patch of something else", #"{"content":{"label":"x"}}"#, on: stored, "range /content/value stored",
            "date_horizon /content/end_date stored", "range /content/devices/0/level stored"),
        .patch(
            "a heartbeat", "{}", on: stored, "range /content/value stored", "date_horizon /content/end_date stored",
            "range /content/devices/0/level stored"),
        .patch(
            "a patch of the member itself", #"{"content":{"value":43}}"#, on: stored, "range /content/value",
            "date_horizon /content/end_date stored", "range /content/devices/0/level stored"),
        .patch(
            "a patch that says the same", #"{"content":{"value":42}}"#, on: stored, "range /content/value",
            "date_horizon /content/end_date stored", "range /content/devices/0/level stored"),
        .patch(
            "a patch of the array", #"{"content":{"devices":[{"name":"n","level":101}],"value":1,"end_date":null}}"#,
            on: stored,
            "range /content/devices/0/level"),
        .patch(
            "a patch of the template", #"{"content":{"template":"progress"}}"#, on: stored, "range /content/value",
            "date_horizon /content/end_date stored", "range /content/devices/0/level stored"),
        .patch(
            "a patch that clears two",
            #"{"content":{"value":null,"end_date":null,"start_date":null,"template":"value"}}"#, on: stored,
            "range /content/devices/0/level stored"),
        .patch("a patch that clears all", #"{"content":{"value":0.42,"end_date":null,"devices":null}}"#, on: stored),
        .patch(
            "a throttle", "{}", on: #"{"name":"n","content":{"template":"value"},"push_throttle":0}"#,
            "range /push_throttle stored"),
        .create(
            "a create over it", #"{"name":"n","content":{"template":"progress","value":42}}"#, over: stored,
            "range /content/value"),
    ]

    @Test(.row(32), arguments: vectors)
    func `are those of members that the patch leaves alone`(_ vector: Vector) throws { try vector.check() }

    @Test(
        .row(32),
        arguments: [
            (#"{"name":"n","content":{"template":"value","points":[1]}}"#, #"{"content":{"points":null}}"#),
            (
                #"{"name":"n","content":{"template":"value","devices":[{"name":"n","level":5,"zz":1}]}}"#,
                #"{"content":{"devices":null}}"#
            ),
            (#"{"name":"n","content":{"template":"value"},"push_throttle":0}"#, #"{"push_throttle":null}"#),
            (#"{"name":"n","content":{"template":"value"},"zz":1}"#, #"{"zz":null}"#),
            (#"{"name":"n","content":{"template":"value","a\"\\b":1}}"#, #"{"content":{"a\"\\b":null}}"#),
        ])
    func `name the patch that clears them`(_ stored: String, _ clearing: String) throws {
        let widget = try Trial.widget(stored)
        let violation = try #require(try Trial.reject(.patch, "{}", on: widget).violations.first)
        #expect(violation.isStored)
        #expect(violation.message.contains(clearing), "\(violation.message)")
        _ = try Trial.accept(.patch, clearing, on: widget)
    }

    @Test(arguments: [
        #"{"name":"n","content":{"template":"gauge","value":1,"min_value":0}}"#,
        #"{"name":"n","content":{"template":"old"}}"#,
        #"{"name":"","content":{"template":"value"}}"#, #"{"name":"n","content":[]}"#,
    ])
    func `name no patch where removing helps nothing`(_ stored: String) throws {
        let violation = try #require(try Trial.reject(.patch, "{}", on: Trial.widget(stored)).violations.first)
        #expect(violation.isStored)
        #expect(!violation.message.contains("null"), "\(violation.message)")
    }
}
