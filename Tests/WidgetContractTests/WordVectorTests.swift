import Testing
import WidgetContract
import WidgetTestSupport

struct `Words` {
    private static let lists: [(place: String, frame: (String, String), words: [String])] = [
        ("/severity", (#""severity":"#, ""), ["info", "warning", "critical", "success"]),
        ("/trend", (#""trend":"#, ""), ["up", "down", "flat"]),
        (
            "/periods/0/level", (#""periods":[{"start":"2026-11-30T12:00:00Z","value":1,"level":"#, "}]"),
            ["low", "medium", "high"]
        ),
        ("/device_sort/0/direction", (#""device_sort":[{"field":"name","direction":"#, "}]"), ["asc", "desc"]),
        (
            "/subtitle_timer/style", (#""subtitle_timer":{"date":"2026-11-30T12:00:00Z","style":"#, "}"),
            ["timer", "relative"]
        ),
        (
            "/tap_action/method", (#""tap_action":{"url":"https://a.example","method":"#, "}"),
            ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "get", "Post", "hEAD"]
        ),
    ]

    private static let vectors: [Vector] = lists.flatMap { list -> [Vector] in
        func row(_ name: String, _ value: String, _ rule: String? = nil) -> Vector {
            let members = list.frame.0 + value + list.frame.1
            let title = "\(list.place) \(name)"
            return rule.map { .members(title, members, "\($0) \(list.place)") } ?? .members(title, members)
        }
        let isMethod = list.place.hasSuffix("method")
        return list.words.map { row($0, "\"\($0)\"") } + [
            row("empty", "\"\""), row("unknown", "\"sideways\"", "enum"),
            row("a space behind", "\"\(list.words[0]) \"", "enum"),
            row("a NUL behind", "\"\(list.words[0])\\u0000\"", "enum"),
            isMethod
                ? row("no ASCII letters", "\"PO\u{17F}T\"", "enum")
                : row("upper case", "\"\(list.words[0].uppercased())\"", "enum"),
            row("a number", "1", "type"), row("a boolean", "true", "type"),
            row("an array", "[\"\(list.words[0])\"]", "type"),
            row(
                "an escaped letter",
                "\"\\u00\(String(list.words[0].utf8.first ?? 0, radix: 16))\(list.words[0].dropFirst())\""),
        ]
    }

    @Test(arguments: vectors)
    func `are those of their list`(_ vector: Vector) throws { try vector.check() }

    private static let required: [Vector] = [
        .content("no template", "{}", "required /template"),
        .content("an empty template", #"{"template":""}"#, "enum /template"),
        .content("an unknown template", #"{"template":"clock"}"#, "enum /template"),
        .content("a template in upper case", #"{"template":"Value"}"#, "enum /template"),
        .content("a template with a space", #"{"template":"value "}"#, "enum /template"),
        .content("a template that is null", #"{"template":null}"#, "required /template"),
        .content("a template that is a number", #"{"template":1}"#, "type /template"),
        .members("an empty sort field", #""device_sort":[{"field":""}]"#, "enum /device_sort/0/field"),
        .members("an unknown sort field", #""device_sort":[{"field":"icon"}]"#, "enum /device_sort/0/field"),
        .members("no sort field", #""device_sort":[{"direction":"asc"}]"#, "required /device_sort/0/field"),
        .members(
            "a sort field twice", #""device_sort":[{"field":"name"},{"field":"name","direction":"desc"}]"#,
            "duplicate /device_sort/1/field"),
        .members(
            "an unknown sort field twice", #""device_sort":[{"field":"x"},{"field":"x"}]"#, "enum /device_sort/0/field",
            "enum /device_sort/1/field"),
    ]

    @Test(arguments: required)
    func `that are required may not be empty`(_ vector: Vector) throws { try vector.check() }
}

struct `Colours` {
    private static let places: [(place: String, frame: (String, String))] = [
        ("/accent_color", (#""accent_color":"#, "")),
        ("/background_color", (#""background_color":"#, "")),
        ("/text_color", (#""text_color":"#, "")),
        ("/devices/0/color", (#""devices":[{"name":"n","level":0,"color":"#, "}]")),
        ("/flow/storage/color", (#""flow":{"storage":{"rate":0,"color":"#, "}}")),
    ]

    private static let names = [
        "red", "orange", "yellow", "green", "blue", "purple", "pink", "indigo", "teal", "cyan", "mint", "brown",
    ]
    private static let legal =
        names + names.map { $0.uppercased() } + [
            "", "Red", "tEaL", "#a1B2c3", "a1B2c3", "#A1B2C3d4", "00000000", "123456",
        ]
    private static let illegal = [
        " ", "red ", " red", "#red", "black", "white", "grey", "#", "##ffffff", "#fff", "fff", "#fffff", "#fffffff",
        "#fffffffff", "#ggffff", "ffffff#", "#ffffff ", " #ffffff", "0xffffff", "rgb(1,2,3)", "#\u{FF11}23456",
        "re\u{301}d",
        "#FFFF\u{C1}", "\\u0000",
    ]

    private static let vectors: [Vector] = places.flatMap { place, frame in
        legal.map { Vector.members("\(place) \($0)", "\(frame.0)\"\($0)\"\(frame.1)") }
            + illegal.map { .members("\(place) \($0)", "\(frame.0)\"\($0)\"\(frame.1)", "color \(place)") }
            + [
                .members("\(place) a number", "\(frame.0)123456\(frame.1)", "type \(place)"),
                .members("\(place) an object", "\(frame.0){}\(frame.1)", "type \(place)"),
            ]
    }

    @Test(arguments: vectors)
    func `are names in any case, or six or eight digits`(_ vector: Vector) throws { try vector.check() }

    @Test func `and words that are empty stay as they were sent`() throws {
        let content = #"{"template":"value","accent_color":"","severity":"","trend":""}"#
        let accepted = try Trial.accept(.create, #"{"name":"n","content":\#(content)}"#)
        #expect(accepted.json == #"{"name":"n","content":\#(content)}"#)
    }
}
