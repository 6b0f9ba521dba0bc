import Testing
import WidgetContract
import WidgetTestSupport

struct `Templates` {
    private static let row = #"{"label":"l","value":"v"}"#
    private static let device = #"{"name":"n","level":1}"#
    private static let period = #"{"start":"2026-11-30T12:00:00Z","value":1}"#
    private static let dates = #""start_date":"2026-11-30T12:00:00Z","end_date":"2026-11-30T13:00:00Z""#

    private static let needs: [Vector] = [
        .content("value", #"{"template":"value"}"#),
        .content("status", #"{"template":"status"}"#),
        .content("progress", #"{"template":"progress"}"#, "required /value"),
        .content("progress with a value", #"{"template":"progress","value":0.5}"#),
        .content("progress with both dates", #"{"template":"progress",\#(dates)}"#),
        .content("progress with all", #"{"template":"progress","value":1,\#(dates)}"#),
        .content(
            "progress with a start alone", #"{"template":"progress","start_date":"2026-11-30T12:00:00Z"}"#,
            "required /value"),
        .content(
            "progress with an end alone", #"{"template":"progress","end_date":"2026-11-30T12:00:00Z"}"#,
            "required /value"),
        .content("gauge", #"{"template":"gauge"}"#, "required /value", "required /min_value", "required /max_value"),
        .content(
            "gauge without bounds", #"{"template":"gauge","value":1}"#, "required /min_value", "required /max_value"),
        .content("gauge without a value", #"{"template":"gauge","min_value":0,"max_value":1}"#, "required /value"),
        .content("gauge with all", #"{"template":"gauge","value":1,"min_value":0,"max_value":1}"#),
        .content("stat_list", #"{"template":"stat_list"}"#, "required /stat_rows"),
        .content("stat_list with rows", #"{"template":"stat_list","stat_rows":[\#(row)]}"#),
        .content("trend", #"{"template":"trend"}"#, "required /value", "required /points"),
        .content("trend without points", #"{"template":"trend","value":1}"#, "required /points"),
        .content("trend without a value", #"{"template":"trend","points":[1,2]}"#, "required /value"),
        .content("trend with all", #"{"template":"trend","value":1,"points":[1,2]}"#),
        .content("countdown", #"{"template":"countdown"}"#, "required /end_date"),
        .content(
            "countdown with a start alone", #"{"template":"countdown","start_date":"2026-11-30T12:00:00Z"}"#,
            "required /end_date"),
        .content("countdown with its end", #"{"template":"countdown","end_date":"2001-01-01T00:00:00Z"}"#),
        .content("battery", #"{"template":"battery"}"#, "required /devices"),
        .content("battery with devices", #"{"template":"battery","devices":[\#(device)]}"#),
        .content("schedule", #"{"template":"schedule"}"#, "required /periods"),
        .content("schedule with periods", #"{"template":"schedule","periods":[\#(period)]}"#),
        .content("flow", #"{"template":"flow"}"#, "required /flow"),
        .content("flow with a slot", #"{"template":"flow","flow":{"output":{"rate":1}}}"#),
        .content("a needed member of a wrong type", #"{"template":"stat_list","stat_rows":{}}"#, "type /stat_rows"),
    ]

    @Test(arguments: needs)
    func `need what their page says`(_ vector: Vector) throws { try vector.check() }

    private static let orders: [Vector] = [
        .content("progress 0", #"{"template":"progress","value":0}"#),
        .content("progress -0", #"{"template":"progress","value":-0}"#),
        .content("progress 1", #"{"template":"progress","value":1.0}"#),
        .content("progress 1e-400", #"{"template":"progress","value":1e-400}"#),
        .content("progress below 0", #"{"template":"progress","value":-0.0001}"#, "range /value"),
        .content("progress above 1", #"{"template":"progress","value":1.0000001}"#, "range /value"),
        .content("progress above 1 with both dates", #"{"template":"progress","value":42,\#(dates)}"#, "range /value"),
        .content("progress 1e400", #"{"template":"progress","value":1e400}"#, "finite /value"),
        .content("another template's 42", #"{"template":"value","value":42}"#),
        .content("value: min below max", #"{"template":"value","min_value":-1,"max_value":0}"#),
        .content("value: min at max", #"{"template":"value","min_value":1,"max_value":1.0}"#, "order /min_value"),
        .content("value: min above max", #"{"template":"value","max_value":1,"min_value":2}"#, "order /min_value"),
        .content("value: min alone", #"{"template":"value","min_value":1}"#),
        .content("value: outside its bounds", #"{"template":"value","value":5,"min_value":0,"max_value":1}"#),
        .content("status: min above max", #"{"template":"status","min_value":2,"max_value":1}"#),
        .content(
            "trend: min above max", #"{"template":"trend","value":1,"points":[1,2],"min_value":2,"max_value":1}"#,
            "order /min_value"),
        .content(
            "trend: outside its bounds", #"{"template":"trend","value":9,"points":[7,8],"min_value":0,"max_value":1}"#),
        .content("gauge: at min", #"{"template":"gauge","value":0,"min_value":0,"max_value":1}"#),
        .content("gauge: at max", #"{"template":"gauge","value":1,"min_value":0,"max_value":1}"#),
        .content("gauge: below min", #"{"template":"gauge","value":-0.1,"min_value":0,"max_value":1}"#, "range /value"),
        .content("gauge: above max", #"{"template":"gauge","min_value":0,"max_value":1,"value":1.1}"#, "range /value"),
        .content(
            "gauge: min at max", #"{"template":"gauge","value":1,"min_value":1,"max_value":1}"#, "order /min_value"),
        .content(
            "gauge: a bound no double holds", #"{"template":"gauge","value":1,"min_value":0,"max_value":1e400}"#,
            "finite /max_value"),
        .members(
            "start before end", #""start_date":"2026-11-30T12:00:00Z","end_date":"2026-11-30T12:00:00.000000001Z""#),
        .members(
            "start at end", #""start_date":"2026-11-30T12:00:00Z","end_date":"2026-11-30T13:00:00+01:00""#,
            "order /start_date"),
        .members(
            "start after end", #""end_date":"2026-11-30T12:00:00Z","start_date":"2026-11-30T12:00:01Z""#,
            "order /start_date"),
        .members(
            "start before end by offset only",
            #""start_date":"2026-11-30T13:00:00+02:00","end_date":"2026-11-30T12:00:00Z""#),
        .members("start and no end", #""start_date":"2026-11-30T12:00:00Z","end_date":"""#, "date_time /end_date"),
        .members(
            "periods that rise",
            #""periods":[{"start":"2026-11-30T12:00:00Z","value":1},{"start":"2026-11-30T12:00:00.1Z","value":1}]"#),
        .members(
            "periods at one instant",
            #""periods":[{"start":"2026-11-30T12:00:00Z","value":1},{"start":"2026-11-30T11:00:00-01:00","value":1}]"#,
            "order /periods/1/start"),
        .members(
            "periods that fall twice",
            #""periods":[\#(period),\#(period.replacing("12", with: "11")),\#(period.replacing("12", with: "10"))]"#,
            "order /periods/1/start", "order /periods/2/start"),
        .members(
            "periods rise by instant, not by text",
            #""periods":[{"start":"2026-11-30T12:00:00+09:00","value":1},{"start":"2026-11-30T04:00:00Z","value":1}]"#),
    ]

    @Test(arguments: orders)
    func `keep numbers and dates in order`(_ vector: Vector) throws { try vector.check() }

    @Test(arguments: [
        ("42", "0.42"), ("87.5", "0.875"), ("100", "1"), ("1.0000001", "0.010000001"), ("7", "0.07"), ("42.0", "0.42"),
        ("1e1", "0.1"), ("1.50", "0.015"),
    ])
    func `hint at a percentage that was sent for a fraction`(_ value: String, _ fraction: String) throws {
        let rejection = try Trial.reject(.create, #"{"name":"n","content":{"template":"progress","value":\#(value)}}"#)
        #expect(rejection.detail.contains("(got \(value); a percentage? send \(fraction))"), "\(rejection.detail)")
        #expect(rejection.violations.first?.value == Array(value.utf8))
    }

    @Test(arguments: ["-1", "100.1", "1000", "1e3"])
    func `hint at nothing for what is no percentage`(_ value: String) throws {
        let rejection = try Trial.reject(.create, #"{"name":"n","content":{"template":"progress","value":\#(value)}}"#)
        #expect(!rejection.detail.contains("percentage"), "\(rejection.detail)")
    }

    private static let builds: [(content: String, needsNew: Bool)] = [
        (#"{"template":"value"}"#, false), (#"{"template":"status"}"#, false),
        (#"{"template":"progress","value":1}"#, false), (#"{"template":"progress",\#(dates)}"#, true),
        (#"{"template":"progress","value":1,\#(dates)}"#, false),
        (#"{"template":"gauge","value":1,"min_value":0,"max_value":1}"#, false),
        (#"{"template":"stat_list","stat_rows":[\#(row)]}"#, false),
        (
            #"{"template":"stat_list","stat_rows":[{"label":"l","value":"v","timer":{"date":"\#(Vector.clock)"}}]}"#,
            true
        ),
        (#"{"template":"value","subtitle_timer":{"date":"2026-11-30T12:00:00Z"}}"#, true),
        (#"{"template":"trend","value":1,"points":[1,2]}"#, true),
        (#"{"template":"countdown","end_date":"2026-11-30T12:00:00Z"}"#, true),
        (#"{"template":"battery","devices":[\#(device)]}"#, true),
        (#"{"template":"schedule","periods":[\#(period)]}"#, true),
        (#"{"template":"flow","flow":{"output":{"rate":1}}}"#, true),
        (#"{"template":"value","flow":{"output":{"rate":1}},"devices":[\#(device)]}"#, false),
    ]

    @Test(arguments: builds)
    func `say which build they need`(_ content: String, _ needsNew: Bool) throws {
        let accepted = try Trial.accept(.create, #"{"name":"n","content":\#(content)}"#)
        #expect(accepted.minAppVersion == (needsNew ? "1.6" : nil))
    }
}

struct `The flow` {
    private static let vectors: [Vector] = [
        .members("no slot", #""flow":{}"#, "required /flow"),
        .members("inputs that are empty", #""flow":{"inputs":[]}"#, "required /flow"),
        .members("inputs that are empty, and another", #""flow":{"inputs":[],"storage":{"rate":0}}"#),
        .members(
            "inputs",
            #""flow":{"inputs":[{"rate":1},{"rate":-1,"name":"n","total":1,"level":1,"icon":"i","color":"red"}]}"#),
        .members("output", #""flow":{"output":{"rate":1}}"#),
        .members("storage", #""flow":{"storage":{"rate":1}}"#),
        .members("exchange", #""flow":{"exchange":{"rate":-1}}"#),
        .members("no rate", #""flow":{"output":{}}"#, "required /flow/output/rate"),
        .members(
            "no rates", #""flow":{"inputs":[{},{}]}"#, "required /flow/inputs/0/rate", "required /flow/inputs/1/rate"),
        .members("a rate that is a text", #""flow":{"output":{"rate":"1"}}"#, "type /flow/output/rate"),
        .members("a slot that is no object", #""flow":{"output":1}"#, "type /flow/output"),
        .members("inputs that are no array", #""flow":{"inputs":{"rate":1}}"#, "type /flow/inputs"),
        .members("an input that is no object", #""flow":{"inputs":[1]}"#, "type /flow/inputs/0"),
        .members("a flow that is no object", #""flow":[]"#, "type /flow"),
        .patch(
            "the last slot removed", #"{"content":{"flow":{"output":null}}}"#,
            on: #"{"name":"n","content":{"template":"flow","flow":{"output":{"rate":1}}}}"#, "required /content/flow"),
        .patch(
            "a slot merged", #"{"content":{"flow":{"output":{"rate":2}}}}"#,
            on: #"{"name":"n","content":{"template":"flow","flow":{"output":{"rate":1,"name":"grid"}}}}"#),
    ]

    @Test(arguments: vectors)
    func `has at least one slot, and each node a rate`(_ vector: Vector) throws { try vector.check() }
}
