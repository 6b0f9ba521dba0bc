import Testing
import WidgetContract
import WidgetJSON
import WidgetTestSupport

/// Lengths count code points, so every limit is met with one-byte, four-byte and combining ones.
struct `Limits of lengths` {
    private static let alphabets = [("ASCII", "x"), ("emoji", "\u{1F600}"), ("combining marks", "\u{301}")]

    /// A member of the content with its limit, and how a content holds it.
    private struct Place: Sendable {
        let location: String
        let limit: Int
        let content: @Sendable (_ text: String) -> String

        init(_ location: String, _ limit: Int, _ content: @escaping @Sendable (_ text: String) -> String) {
            self.location = location
            self.limit = limit
            self.content = content
        }

        static func member(_ name: String, _ limit: Int) -> Place {
            Place("/\(name)", limit) { #"{"template":"value","\#(name)":\#($0)}"# }
        }

        /// A member of an object that stands at `location`; `rest` are its other members.
        static func inside(_ location: String, _ name: String, _ limit: Int, _ frame: (String, String)) -> Place {
            Place("\(location)/\(name)", limit) { [frame] text in
                #"{"template":"value",\#(frame.0)"\#(name)":\#(text)\#(frame.1)}"#
            }
        }
    }

    private static let places: [Place] = [
        .member("label", 256), .member("subtitle", 256), .member("icon", 128), .member("unit", 32),
        .member("expired_text", 64),
        .inside("/stat_rows/0", "label", 32, (#""stat_rows":[{"value":"v","#, "}]")),
        .inside("/stat_rows/0", "value", 32, (#""stat_rows":[{"label":"l","#, "}]")),
        .inside("/stat_rows/0", "unit", 16, (#""stat_rows":[{"label":"l","value":"v","#, "}]")),
        .inside("/devices/0", "name", 32, (#""devices":[{"level":1,"#, "}]")),
        .inside("/devices/0", "icon", 128, (#""devices":[{"name":"n","level":1,"#, "}]")),
        .inside("/flow/output", "name", 32, (#""flow":{"output":{"rate":1,"#, "}}")),
        .inside("/flow/inputs/0", "icon", 128, (#""flow":{"inputs":[{"rate":1,"#, "}]}")),
        .inside("/tap_action", "body", 1024, (#""tap_action":{"url":"https://a","#, "}")),
        .inside("/url_action", "title", 64, (#""url_action":{"url":"https://a","#, "}")),
        .inside("/secondary_url_action", "icon", 64, (#""secondary_url_action":{"url":"https://a","#, "}")),
    ]

    private static let vectors: [Vector] = places.flatMap { place in
        alphabets.flatMap { alphabet, character -> [Vector] in
            func content(_ count: Int) -> String { place.content("\"\(character * count)\"") }
            let name = "\(place.location) of \(place.limit) in \(alphabet)"
            return [
                .content("\(name), one below", content(place.limit - 1)),
                .content("\(name), at it", content(place.limit)),
                .content("\(name), one above", content(place.limit + 1), "max_length \(place.location)"),
            ]
        }
    }

    @Test(.row(30), arguments: vectors)
    func `hold at the code point`(_ vector: Vector) throws { try vector.check() }

    @Test(arguments: ["x", "\u{1F600}", "e"])
    func `hold for a url, whose code points count too`(_ character: String) throws {
        let start = "app:"
        for (count, faults) in [(2047, []), (2048, []), (2049, ["max_length /content/tap_action/url"])] {
            let url = start + character * (count - start.count)
            let body = #"{"name":"n","content":{"template":"value","tap_action":{"url":"\#(url)"}}}"#
            switch try Trial.decide(.create, body).0 {
            case .accepted: #expect(faults == [])
            case .rejected(let rejection): #expect(rejection.faults == faults)
            }
        }
    }

    @Test func `an escape counts as the code point it stands for`() throws {
        let exact = #"{"name":"n","content":{"template":"value","unit":"\#(#"\u0001"# * 31)\#(#"\uD83D\uDE00"#)"}}"#
        _ = try Trial.accept(.create, exact)
        let over = #"{"name":"n","content":{"template":"value","unit":"\#(#"\n"# * 33)"}}"#
        #expect(try Trial.reject(.create, over).faults == ["max_length /content/unit"])
    }
}

struct `Limits of arrays` {
    private static func rows(_ count: Int) -> String {
        .array(Array(repeating: #"{"label":"l","value":"v"}"#, count: count))
    }

    private static func devices(_ count: Int) -> String {
        .array(Array(repeating: #"{"name":"n","level":1}"#, count: count))
    }

    private static func periods(_ count: Int) -> String {
        .array(
            (0..<count).map { #"{"start":"2026-11-\#(10 + $0 / 24)T\#(10 + $0 / 6 % 4):\#($0 % 6)0:00Z","value":1}"# })
    }

    private static func points(_ count: Int) -> String { .array(Array(repeating: "1", count: count)) }

    private static func inputs(_ count: Int) -> String {
        #"{"inputs":\#(String.array(Array(repeating: #"{"rate":1}"#, count: count)))}"#
    }

    private static let vectors: [Vector] = [
        .content("no rows where they are needed", #"{"template":"stat_list","stat_rows":[]}"#, "min_items /stat_rows"),
        .content("no rows elsewhere", #"{"template":"value","stat_rows":[]}"#),
        .content("1 row", #"{"template":"stat_list","stat_rows":\#(rows(1))}"#),
        .content("6 rows", #"{"template":"stat_list","stat_rows":\#(rows(6))}"#),
        .content("7 rows", #"{"template":"stat_list","stat_rows":\#(rows(7))}"#, "max_items /stat_rows"),
        .content("7 rows elsewhere", #"{"template":"value","stat_rows":\#(rows(7))}"#, "max_items /stat_rows"),
        .content("no devices where they are needed", #"{"template":"battery","devices":[]}"#, "min_items /devices"),
        .content("no devices elsewhere", #"{"template":"status","devices":[]}"#),
        .content("8 devices", #"{"template":"battery","devices":\#(devices(8))}"#),
        .content("9 devices", #"{"template":"battery","devices":\#(devices(9))}"#, "max_items /devices"),
        .content("no periods where they are needed", #"{"template":"schedule","periods":[]}"#, "min_items /periods"),
        .content("no periods elsewhere", #"{"template":"trend","value":1,"points":[1,2],"periods":[]}"#),
        .content("48 periods", #"{"template":"schedule","periods":\#(periods(48))}"#),
        .content("49 periods", #"{"template":"schedule","periods":\#(periods(49))}"#, "max_items /periods"),
        .content("no points elsewhere", #"{"template":"value","points":[]}"#, "min_items /points"),
        .content("1 point elsewhere", #"{"template":"status","points":[1]}"#, "min_items /points"),
        .content("1 point", #"{"template":"trend","value":1,"points":[1]}"#, "min_items /points"),
        .content("2 points", #"{"template":"trend","value":1,"points":[1,1]}"#),
        .content("48 points", #"{"template":"trend","value":1,"points":\#(points(48))}"#),
        .content("49 points", #"{"template":"trend","value":1,"points":\#(points(49))}"#, "max_items /points"),
        .content("no sort keys", #"{"template":"value","device_sort":[]}"#),
        .content("2 sort keys", #"{"template":"value","device_sort":[{"field":"level"},{"field":"name"}]}"#),
        .content(
            "3 sort keys",
            #"{"template":"value","device_sort":[{"field":"level"},{"field":"name"},{"field":"level"}]}"#,
            "max_items /device_sort", "duplicate /device_sort/2/field"),
        .content("3 inputs", #"{"template":"flow","flow":\#(inputs(3))}"#),
        .content("4 inputs", #"{"template":"flow","flow":\#(inputs(4))}"#, "max_items /flow/inputs"),
    ]

    @Test(arguments: vectors)
    func `hold at the entry`(_ vector: Vector) throws { try vector.check() }
}

struct `A limit on the whole` {
    @Test func `keeps patches from adding up to what no document holds`() throws {
        let fraction = "1" * 200_000
        var widget = try Trial.accept(.create, #"{"name":"n","content":{"template":"value"}}"#).widget
        for member in ["start_date", "end_date"] {
            let day = member == "start_date" ? "29" : "30"
            widget = try Trial.accept(
                .patch, #"{"content":{"\#(member)":"2026-11-\#(day)T12:00:00.\#(fraction)Z"}}"#, on: widget
            ).widget
        }
        let third = #"{"content":{"zz":1,"subtitle_timer":{"date":"2026-11-30T12:00:00.\#(fraction)Z"}},"name":""}"#
        #expect(
            try Trial.reject(.patch, third, on: widget).faults == [
                "max_bytes /content", "unknown_field /content/zz", "not_blank /name",
            ])
        widget = try Trial.accept(.patch, #"{"content":{"label":"l","start_date":null}}"#, on: widget).widget
        #expect(try Document(json: widget.document?.json ?? "") == widget.document)
    }
}
