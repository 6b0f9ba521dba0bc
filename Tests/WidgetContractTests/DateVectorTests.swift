import Testing
import WidgetContract
import WidgetTestSupport

struct `Dates` {
    private static func date(
        _ name: String, _ text: String, clock: String = Vector.clock, _ faults: [String] = []
    ) -> Vector {
        let content = #"{"template":"value","end_date":"\#(text)"}"#
        return faults.isEmpty
            ? .content(name, content, clock: clock) : .content(name, content, clock: clock, "\(faults[0]) /end_date")
    }

    private static let bounds: [Vector] = [
        date("at the floor", "2000-01-01T00:00:00Z", ["date_floor"]),
        date("a nanosecond above the floor", "2000-01-01T00:00:00.000000001Z"),
        date("a nanosecond below the floor", "1999-12-31T23:59:59.999999999Z", ["date_floor"]),
        date("the floor by offset", "2000-01-01T05:30:00+05:30", ["date_floor"]),
        date("above the floor by offset only", "1999-12-31T23:59:59-00:01"),
        date("below the floor by offset only", "2000-01-01T00:30:00+01:00", ["date_floor"]),
        date("year 0000", "0000-01-01T00:00:00Z", ["date_floor"]),
        date("at the horizon", "2027-12-01T12:00:00Z"),
        date("a nanosecond beyond the horizon", "2027-12-01T12:00:00.000000001Z", ["date_horizon"]),
        date("a nanosecond before the horizon", "2027-12-01T11:59:59.999999999Z"),
        date("the horizon by offset", "2027-12-02T01:45:00+13:45"),
        date("beyond the horizon by offset only", "2027-12-01T12:00:00-00:01", ["date_horizon"]),
        date("before the horizon by offset only", "2027-12-02T11:58:59+23:59"),
        date("year 9999", "9999-12-31T23:59:59Z", ["date_horizon"]),
        date(
            "at the horizon of a clock with nanoseconds", "2027-12-01T12:00:00.000000007Z",
            clock: "2026-11-30T12:00:00.000000007Z"),
        date(
            "beyond the horizon of a clock with nanoseconds", "2027-12-01T12:00:00.000000008Z",
            clock: "2026-11-30T12:00:00.000000007Z", ["date_horizon"]),
        date("the horizon is days, not a year", "2024-12-31T00:00:00Z", clock: "2024-01-01T00:00:00Z"),
        date("long past", "2000-01-02T00:00:00Z"),
        date("the clock itself", Vector.clock),
    ]

    private static let forms: [Vector] = [
        date("lower-case t", "2026-11-30t12:00:00Z"),
        date("lower-case z", "2026-11-30T12:00:00z"),
        date("both in lower case", "2026-11-30t12:00:00z"),
        date("-00:00", "2026-11-30T12:00:00-00:00"),
        date("+23:59", "2026-11-30T12:00:00+23:59"),
        date("one digit of fraction", "2026-11-30T12:00:00.5Z"),
        date("100 digits of fraction", "2026-11-30T12:00:00.\("123456789 0".filter { $0 != " " } * 10)Z"),
        date("Feb 29 of a leap year", "2024-02-29T00:00:00Z"),
        date("Feb 29 of 2000", "2000-02-29T00:00:00Z"),
        date("the last second of a day", "2026-11-30T23:59:59Z"),
    ]

    private static let noDates: [Vector] = [
        "", " ", "2026-11-30", "12:00:00Z", "2026-11-30T12:00:00", "2026-11-30 12:00:00Z", "2026-11-30T12:00Z",
        "2026-11-30T12:00:60Z", "2016-12-31T23:59:60Z", "2016-12-31T23:59:60.5Z", "2026-11-30T12:00:61Z",
        "2026-11-30T24:00:00Z", "2026-11-30T12:60:00Z", "2026-02-29T00:00:00Z", "2024-02-30T00:00:00Z",
        "2100-02-29T00:00:00Z", "2026-11-31T00:00:00Z", "2026-00-01T00:00:00Z", "2026-13-01T00:00:00Z",
        "2026-01-00T00:00:00Z", "2026-11-30T12:00:00.Z", "2026-11-30T12:00:00,5Z", "2026-11-30T12:00:00+0100",
        "2026-11-30T12:00:00+01", "2026-11-30T12:00:00+24:00", "2026-11-30T12:00:00+01:60",
        "2026-11-30T12:00:00 Z", "2026-11-30T12:00:00ZZ", " 2026-11-30T12:00:00Z", "2026-11-30T12:00:00Z ",
        "2026-11-30T12:00:00Z\\n", "26-11-30T12:00:00Z", "12026-11-30T12:00:00Z", "+2026-11-30T12:00:00Z",
        "2026-1-30T12:00:00Z", "2026-11-30T1:00:00Z", "2026-11-30T12:00:00\u{2212}01:00", "2026-11-30T12:00:00[UTC]",
        "\u{662}026-11-30T12:00:00Z", "20261130T120000Z", "2026-W49-1T12:00:00Z", "2026-334T12:00:00Z", "now",
        "2026-11-30T12:00:00Z\\u0000", "2026-11-30\u{FF34}12:00:00Z", "1764504000",
    ].map { date("no date: \($0)", $0, ["date_time"]) }

    @Test(arguments: bounds)
    func `are bounded to the nanosecond`(_ vector: Vector) throws { try vector.check() }

    @Test(.row(31), arguments: forms)
    func `are read in every form of RFC 3339`(_ vector: Vector) throws { try vector.check() }

    @Test(.row(31), arguments: noDates)
    func `are refused in any other form`(_ vector: Vector) throws { try vector.check() }

    @Test func `may be written with escapes`() throws {
        let content = #"{"template":"value","end_date":"2026\u002d11-30T12:00:00\u005A"}"#
        _ = try Trial.accept(.create, #"{"name":"n","content":\#(content)}"#)
    }

    private static let places: [Vector] = ["1999-01-01T00:00:00Z", "2099-01-01T00:00:00Z", "soon", ""].flatMap { text in
        let rule = text.hasPrefix("1") ? "date_floor" : text.hasPrefix("2") ? "date_horizon" : "date_time"
        return [
            Vector.members("start_date: \(text)", #""start_date":"\#(text)""#, "\(rule) /start_date"),
            .members("period: \(text)", #""periods":[{"start":"\#(text)","value":1}]"#, "\(rule) /periods/0/start"),
            .members("subtitle: \(text)", #""subtitle_timer":{"date":"\#(text)"}"#, "\(rule) /subtitle_timer/date"),
            .members(
                "row: \(text)", #""stat_rows":[{"label":"l","value":"v","timer":{"date":"\#(text)"}}]"#,
                "\(rule) /stat_rows/0/timer/date"),
        ]
    }

    @Test(arguments: places)
    func `are judged wherever they stand`(_ vector: Vector) throws { try vector.check() }

    @Test(.row(32)) func `that have passed meanwhile break nothing`() throws {
        let widget = try Trial.widget(
            #"{"name":"n","content":{"template":"countdown","end_date":"2026-11-30T12:00:00Z"}}"#)
        let accepted = try Trial.accept(
            .patch, #"{"content":{"label":"later"}}"#, on: widget, clock: "2199-01-01T00:00:00Z")
        #expect(accepted.changes == ["/content/label"])
    }
}
