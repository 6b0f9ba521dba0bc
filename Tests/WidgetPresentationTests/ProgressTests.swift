import Testing
import WidgetPresentation
import WidgetTestSupport

struct `Progress` {
    private static func content(_ members: String) -> String { Showing.content("progress", members) }
    private static let window = #""start_date":"2026-11-30T12:00:00Z","end_date":"2026-11-30T14:00:00Z""#

    @Test(
        arguments: [
            ("0", "0%"), ("-0", "0%"), ("0.0", "0%"), ("0.42", "42%"), ("4.2e-1", "42%"), ("0.6", "60%"),
            ("0.29", "29%"), ("0.57", "57%"), ("0.580", "58%"), ("0.424", "42%"), ("0.425", "43%"), ("0.429", "43%"),
            ("0.004", "1%"), ("0.0000001", "1%"), ("1e-300", "1%"), ("1e-400", "0%"), ("0.99", "99%"),
            ("0.994", "99%"), ("0.995", "99%"), ("0.99999", "99%"), ("0.\("9" * 40)", "99%"), ("1", "100%"),
            ("1.000", "100%"), ("1E0", "100%"), ("10e-1", "100%"), ("0.006500000000000001", "1%"),
        ])
    func `reads its fraction in whole percents, 100 only at the end and 0 only before the start`(
        _ value: String, _ text: String
    ) throws {
        let shown = try Showing.present(Self.content(#""value":\#(value)"#))
        #expect(shown.headline?.text == text)
        #expect(shown.headline?.unit == nil)
        let fraction = try #require(shown.meter?.fraction)
        #expect((0...1).contains(fraction))
        #expect((fraction == 0) == (text == "0%"))
        #expect((fraction == 1) == (text == "100%"))
    }

    @Test(
        arguments: [
            (.small, .bar), (.medium, .bar), (.large, .bar), (.rectangular, .bar), (.circular, .ring), (.inline, nil),
        ] as [(Family, Meter.Shape?)])
    func `is a bar, on the circular family a ring`(_ family: Family, _ shape: Meter.Shape?) throws {
        let shown = try Showing.present(Self.content(#""value":0.42"#), family)
        #expect(shown.meter?.shape == shape)
        #expect(shown.meter?.fraction == shape.map { _ in 0.42 })
        #expect(shown.headline?.text == "42%")
        #expect(shown.nextChange == nil)
    }

    @Test(
        arguments: [
            ("2026-11-30T11:59:59Z", "0%", 0), ("2026-11-30T12:00:00Z", "0%", 0),
            ("2026-11-30T12:00:00.000000001Z", "1%", 0.01), ("2026-11-30T13:00:00Z", "50%", 0.5),
            ("2026-11-30T13:59:59.999999999Z", "99%", 0.99), ("2026-11-30T14:00:00Z", "100%", 1),
            ("2027-11-30T14:00:00Z", "100%", 1),
        ] as [(String, String, Double)])
    func `between two dates goes by the clock, whatever its value says`(
        _ clock: String, _ text: String, _ fraction: Double
    ) throws {
        for value in ["", #","value":0.9"#, #","value":0"#] {
            let shown = try Showing.present(Self.content(Self.window + value), at: clock)
            #expect(shown.headline?.text == text)
            #expect(shown.meter?.fraction == fraction)
            #expect(shown.meter?.window?.start == Trial.moment("2026-11-30T12:00:00Z"))
            #expect(shown.meter?.window?.end == Trial.moment("2026-11-30T14:00:00Z"))
        }
    }

    @Test(
        arguments: [
            ("2026-11-01T00:00:00Z", "2026-11-30T12:00:00.000000001Z"),
            ("2026-11-30T12:00:00Z", "2026-11-30T12:00:00.000000001Z"),
            // 1.5 % of two hours is 108 s.
            ("2026-11-30T12:00:00.000000001Z", "2026-11-30T12:01:48Z"),
            ("2026-11-30T12:01:47.999999999Z", "2026-11-30T12:01:48Z"),
            ("2026-11-30T12:01:48Z", "2026-11-30T12:03:00Z"),
            ("2026-11-30T13:59:00Z", "2026-11-30T14:00:00Z"), ("2026-11-30T14:00:00Z", nil),
        ] as [(String, String?)])
    func `between two dates changes with every percent and then never`(_ clock: String, _ next: String?) throws {
        let shown = try Showing.present(Self.content(Self.window), at: clock)
        #expect(shown.nextChange == next.map { Trial.moment($0) })
    }

    @Test func `shows its value and ignores the dates on builds before 1.6`() throws {
        let shown = try Showing.present(
            Self.content(Self.window + #","value":0.25"#), build: .before16, at: "2026-11-30T14:00:00Z")
        #expect(shown.headline?.text == "25%")
        #expect(shown.meter?.fraction == 0.25)
        #expect(shown.meter?.window == nil)
        #expect(shown.nextChange == nil)
    }

    @Test(arguments: Family.allCases)
    func `without a value has nothing to show on builds before 1.6`(_ family: Family) throws {
        let members = Self.window + #","label":"l","stat_rows":[{"label":"a","value":"b"}],"icon":"gear""#
        let shown = try Showing.present(
            Self.content(members), family, build: .before16, staleAfter: 60, updated: "2026-11-30T11:00:00Z")
        #expect(shown.unavailability == .valueMissing)
        #expect(shown.headline == nil && shown.title == nil && shown.meter == nil && shown.rows.isEmpty)
        #expect(shown.symbol == nil && shown.colors == nil && shown.staleness == nil && shown.nextChange == nil)
    }

    @Test func `with one date only goes by its value`() throws {
        let shown = try Showing.present(
            Self.content(#""value":0.25,"end_date":"2026-11-30T12:00:10Z""#), at: "2026-11-30T12:00:05Z")
        #expect(shown.headline?.text == "25%")
        #expect(shown.nextChange == nil)
    }

    @Test(arguments: Family.allCases)
    func `has the first three rows on large, else the trend badge`(_ family: Family) throws {
        let rows = String.array((1...4).map { #"{"label":"l\#($0)","value":"\#($0)"}"# })
        let shown = try Showing.present(Self.content(#""value":0.6,"trend":"flat","stat_rows":\#(rows)"#), family)
        #expect(shown.rows.map(\.label) == (family == .large ? ["l1", "l2", "l3"] : []))
        #expect(shown.trend == nil)
        let bare = try Showing.present(Self.content(#""value":0.6,"trend":"flat""#), family)
        #expect(bare.trend?.placement == (family == .large ? .badge : nil))
    }
}
