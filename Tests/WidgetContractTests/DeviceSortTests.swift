import Testing
import WidgetContract
import WidgetJSON
import WidgetTestSupport

struct `Device sort` {
    private static func body(_ sort: String, _ devices: String, template: String = "battery") -> String {
        #"{"name":"n","content":{"template":"\#(template)","devices":\#(devices),"device_sort":\#(sort)}}"#
    }

    private static func devices(_ names: [(String, String)]) -> String {
        .array(names.map { #"{"name":"\#($0)","level":\#($1)}"# })
    }

    private static let four = [("b", "50"), ("A", "50.0"), ("c", "7"), ("a", "100")]

    @Test(
        arguments: [
            ("no keys", "[]", [0, 1, 2, 3]),
            ("level", #"[{"field":"level"}]"#, [2, 0, 1, 3]),
            ("level asc", #"[{"field":"level","direction":"asc"}]"#, [2, 0, 1, 3]),
            ("level with an empty direction", #"[{"field":"level","direction":""}]"#, [2, 0, 1, 3]),
            ("level desc is stable, too", #"[{"field":"level","direction":"desc"}]"#, [3, 0, 1, 2]),
            ("name", #"[{"field":"name"}]"#, [1, 3, 0, 2]),
            ("name desc", #"[{"field":"name","direction":"desc"}]"#, [2, 0, 1, 3]),
            ("level, then name", #"[{"field":"level"},{"field":"name"}]"#, [2, 1, 0, 3]),
            (
                "level desc, then name desc",
                #"[{"field":"level","direction":"desc"},{"field":"name","direction":"desc"}]"#, [3, 0, 1, 2]
            ),
            ("name, then level", #"[{"field":"name"},{"direction":"asc","field":"level"}]"#, [1, 3, 0, 2]),
            ("name, then level desc", #"[{"field":"name"},{"field":"level","direction":"desc"}]"#, [3, 1, 0, 2]),
        ] as [(String, String, [Int])])
    func `orders what is stored`(_ name: String, _ sort: String, _ order: [Int]) throws {
        let accepted = try Trial.accept(.create, Self.body(sort, Self.devices(Self.four)))
        #expect(accepted.json == Self.body(sort, Self.devices(order.map { Self.four[$0] })))
    }

    @Test func `compares lower-cased code points`() throws {
        let names = ["\u{1F600}", "\u{FF5E}", "é", "É", "e\u{301}", "Z", "z", "_"]
        let body = Self.body(#"[{"field":"name"}]"#, Self.devices(names.map { ($0, "1") }))
        let sorted = ["_", "e\u{301}", "Z", "z", "é", "É", "\u{FF5E}", "\u{1F600}"].map { ($0, "1") }
        #expect(try Trial.accept(.create, body).json == Self.body(#"[{"field":"name"}]"#, Self.devices(sorted)))
    }

    @Test func `moves whole devices, escapes and objects of any length`() throws {
        let devices = [
            #"{"name":"b\"\\","level":1,"charging":true}"#,
            #"{"level":2.50,"name":"a","icon":"mdi:x","color":"FFF000"}"#,
            #"{"name":"\u0001","level":1e1}"#,
        ]
        let accepted = try Trial.accept(.create, Self.body(#"[{"field":"name"}]"#, .array(devices)))
        let expected = Self.body(#"[{"field":"name"}]"#, .array([devices[2], devices[1], devices[0]]))
        #expect(accepted.json == expected)
        let again = try Trial.accept(.patch, #"{"content":{"label":"l"}}"#, on: accepted.widget)
        #expect(again.json == String(expected.dropLast(2)) + #","label":"l"}}"#)
        #expect(try again.widget.document == Document(json: again.json ?? ""))
    }

    @Test(arguments: ["value", "status"])
    func `leaves other templates as they are sent`(_ template: String) throws {
        let body = Self.body(#"[{"field":"name"}]"#, Self.devices(Self.four), template: template)
        #expect(try Trial.accept(.create, body).json == body)
    }

    private static let sorted = body(#"[{"field":"level"}]"#, devices([("a", "1"), ("b", "2")]))

    @Test(
        arguments: [
            (
                "another order", #"{"content":{"device_sort":[{"field":"level","direction":"desc"}]}}"#,
                ["/content/devices", "/content/device_sort"]
            ),
            (
                "another key with the same order", #"{"content":{"device_sort":[{"field":"name"}]}}"#,
                ["/content/device_sort"]
            ),
            ("no sort any more", #"{"content":{"device_sort":null}}"#, ["/content/device_sort"]),
            (
                "the same devices unsorted",
                #"{"content":{"devices":[{"name":"b","level":2},{"name":"a","level":1.0}]}}"#, []
            ),
            (
                "a level that turns them", #"{"content":{"devices":[{"name":"a","level":3},{"name":"b","level":2}]}}"#,
                ["/content/devices"]
            ),
            ("something else", #"{"content":{"label":"l"}}"#, ["/content/label"]),
        ] as [(String, String, [String])])
    func `tells of devices that moved`(_ name: String, _ patch: String, _ changed: [String]) throws {
        #expect(try Trial.accept(.patch, patch, on: Trial.widget(Self.sorted)).changes == changed)
    }

    @Test func `applies when the template becomes one that sorts`() throws {
        let widget = try Trial.widget(
            Self.body(#"[{"field":"name"}]"#, Self.devices([("b", "1"), ("a", "2")]), template: "value"))
        let accepted = try Trial.accept(.patch, #"{"content":{"template":"battery"}}"#, on: widget)
        #expect(accepted.changes == ["/content/template", "/content/devices"])
        #expect(accepted.json == Self.body(#"[{"field":"name"}]"#, Self.devices([("a", "2"), ("b", "1")])))
    }
}
