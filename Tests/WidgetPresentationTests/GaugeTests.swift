import Testing
import WidgetPresentation

struct `A gauge` {
    private static func content(_ value: String, _ low: String, _ high: String, _ more: String = "") -> String {
        Showing.content("gauge", #""value":\#(value),"min_value":\#(low),"max_value":\#(high)\#(more)"#)
    }

    @Test(
        arguments: [
            ("2.4", "0", "5", 0.48), ("0", "0", "5", 0), ("5", "0", "5", 1), ("0", "-5", "5", 0.5),
            ("0", "-1.7e308", "1.7e308", 0.5), ("1e308", "-1e308", "1e308", 1), ("5e-324", "0", "1", 0),
        ])
    func `stands where its value is between the bounds`(
        _ value: String, _ low: String, _ high: String, _ fraction: Double
    ) throws {
        let shown = try Showing.present(Self.content(value, low, high))
        let drawn = try #require(shown.meter?.fraction)
        #expect(abs(drawn - fraction) < 1e-9)
    }

    @Test(
        arguments: [
            (.small, .arc), (.medium, .arc), (.large, .arc), (.rectangular, .bar), (.circular, .ring), (.inline, nil),
        ] as [(Family, Meter.Shape?)])
    func `is a dial, on the Lock Screen a bar or a ring`(_ family: Family, _ shape: Meter.Shape?) throws {
        let shown = try Showing.present(Self.content("2.4", "0", "5", #","unit":"%","label":"Errors""#), family)
        #expect(shown.meter?.shape == shape)
        #expect(shown.headline?.text == "2.4")
        #expect(shown.headline?.unit == "%")
        #expect(shown.bounds?.maximum?.text == (family.isHomeScreen ? "5" : nil))
        #expect(shown.bounds?.maximum?.unit == (family.isHomeScreen ? "%" : nil))
    }

    @Test(arguments: Family.allCases)
    func `draws neither a trend nor rows`(_ family: Family) throws {
        let shown = try Showing.present(
            Self.content("1", "0", "5", #","trend":"up","stat_rows":[{"label":"a","value":"b"}]"#), family)
        #expect(shown.trend == nil)
        #expect(shown.rows.isEmpty)
    }
}
