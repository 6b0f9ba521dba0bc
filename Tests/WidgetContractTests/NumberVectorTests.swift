import Testing
import WidgetContract
import WidgetTestSupport

struct `Numbers` {
    private static let legal = [
        "0", "-0", "-0.0", "0.10", "1E2", "1e+2", "1e-2", "1e-400", "-1e-400", "9007199254740993", "-17.25",
        "1.7976931348623157e308", "123456789012345678901234567890", "0e999999999999", "5e-324",
        "0.\("0" * 500)1",
    ]
    private static let infinite = ["1e400", "-1e400", "1.8e308", "1e999999999999999999999", "\("9" * 400)"]

    private static let vectors: [Vector] = ["value", "min_value", "max_value"].flatMap { member in
        legal.map { Vector.members("\(member) \($0)", #""\#(member)":\#($0)"#) }
            + infinite.map { .members("\(member) \($0)", #""\#(member)":\#($0)"#, "finite /\(member)") }
            + ["true", "false", "\"1\"", "\"\"", "[]", "{}", "[1]"].map {
                .members("\(member) \($0)", #""\#(member)":\#($0)"#, "type /\(member)")
            }
    }

    @Test(.row(29), arguments: vectors)
    func `are finite, and nothing else is a number`(_ vector: Vector) throws { try vector.check() }

    private static let inside: [Vector] = [
        .members("a point that no double holds", #""points":[1,1e400]"#, "finite /points/1"),
        .members("a point that is true", #""points":[true,1]"#, "type /points/0"),
        .members("a point that is a text", #""points":["1",1]"#, "type /points/0"),
        .members(
            "a period's value", #""periods":[{"start":"2026-11-30T12:00:00Z","value":-1e400}]"#,
            "finite /periods/0/value"),
        .members("level 0", #""devices":[{"name":"n","level":0}]"#),
        .members("level -0", #""devices":[{"name":"n","level":-0}]"#),
        .members("level 100", #""devices":[{"name":"n","level":100.0}]"#),
        .members("level 100.0001", #""devices":[{"name":"n","level":100.0001}]"#, "range /devices/0/level"),
        .members("level -1", #""devices":[{"name":"n","level":-1}]"#, "range /devices/0/level"),
        .members("level -1e-9", #""devices":[{"name":"n","level":-1e-9}]"#, "range /devices/0/level"),
        .members("level 1e400", #""devices":[{"name":"n","level":1e400}]"#, "finite /devices/0/level"),
        .members("level true", #""devices":[{"name":"n","level":true}]"#, "type /devices/0/level"),
        .members(
            "charging", #""devices":[{"name":"n","level":1,"charging":true},{"name":"n","level":1,"charging":false}]"#),
        .members("charging 1", #""devices":[{"name":"n","level":1,"charging":1}]"#, "type /devices/0/charging"),
        .members(
            "charging as a text", #""devices":[{"name":"n","level":1,"charging":"true"}]"#, "type /devices/0/charging"),
        .members("a negative rate", #""flow":{"output":{"rate":-1e300}}"#),
        .members("total 0", #""flow":{"output":{"rate":1,"total":0}}"#),
        .members("total -0", #""flow":{"output":{"rate":1,"total":-0.0}}"#),
        .members("total 1e308", #""flow":{"output":{"rate":1,"total":1e308}}"#),
        .members("total -0.5", #""flow":{"output":{"rate":1,"total":-0.5}}"#, "range /flow/output/total"),
        .members("a node's level 101", #""flow":{"exchange":{"rate":1,"level":101}}"#, "range /flow/exchange/level"),
        .members("a node's level 100", #""flow":{"exchange":{"rate":1,"level":100}}"#),
    ]

    @Test(arguments: inside)
    func `are bounded where the contract bounds them`(_ vector: Vector) throws { try vector.check() }

    private static let whole: [Vector] = [
        ("push_throttle", 1, 3600), ("stale_after", 60, 604_800),
    ].flatMap { member, lowest, highest -> [Vector] in
        func row(_ value: String, _ rule: String? = nil) -> Vector {
            let body = #"{"name":"n","content":{"template":"value"},"\#(member)":\#(value)}"#
            return rule.map { .create("\(member) \(value)", body, "\($0) /\(member)") }
                ?? .create("\(member) \(value)", body)
        }
        return [
            row("\(lowest)"), row("\(highest)"), row("\(lowest).0"), row("\(highest).000"), row("900.0"), row("1e3"),
            row("9.0E2"),
            row("36000e-1".replacing("36000", with: "\(highest * 10 / 10)0")),
            row("\(lowest - 1)", "range"), row("\(highest + 1)", "range"), row("-900", "range"), row("0", "range"),
            row("-0", "range"), row("900.5", "type"), row("1.5", "type"), row("0.5", "type"), row("1e400", "finite"),
            row("1e300", "range"),
            row("true", "type"), row("\"900\"", "type"), row("[]", "type"), row("{}", "type"),
        ]
    }

    @Test(arguments: whole)
    func `of seconds are whole`(_ vector: Vector) throws { try vector.check() }

    @Test(
        .row(29), arguments: ["0.10", "1E2", "9007199254740993", "-0", "1e-400", "123456789012345678901234567890.10"])
    func `that a patch does not touch keep their text`(_ number: String) throws {
        let content = #""template":"value","value":\#(number),"points":[\#(number),\#(number)]"#
        let created = try Trial.accept(.create, #"{"name":"n","content":{\#(content)}}"#)
        let patched = try Trial.accept(.patch, #"{"content":{"label":"l"}}"#, on: created.widget)
        #expect(patched.json == #"{"name":"n","content":{\#(content),"label":"l"}}"#)
    }

    @Test func `of 10 000 digits are taken when a double holds them, else not finite`() throws {
        func body(_ number: String) -> String {
            #"{"name":"n","content":{"template":"value","value":\#(number)}}"#
        }
        _ = try Trial.accept(.create, body("0." + "1" * 10_000))
        #expect(try Trial.reject(.create, body("1" * 10_000)).faults == ["finite /content/value"])
    }
}
