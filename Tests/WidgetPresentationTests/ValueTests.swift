import Testing
import WidgetPresentation
import WidgetTestSupport

struct `A value` {
    private static func content(_ members: String) -> String { Showing.content("value", members) }

    @Test(arguments: Family.allCases)
    func `is a large number with its unit, below the label`(_ family: Family) throws {
        let shown = try Showing.present(Self.content(#""value":18,"unit":"req/s","label":"Deploys""#), family)
        #expect(shown.headline?.text == "18")
        #expect(shown.headline?.unit == "req/s")
        #expect(shown.title == (family == .circular ? nil : "Deploys"))
        #expect(shown.meter == nil)
        #expect(shown.nextChange == nil)
    }

    @Test(arguments: Family.allCases)
    func `without a reading puts the label in its place, not a zero`(_ family: Family) throws {
        let shown = try Showing.present(Self.content(#""label":"No reading","unit":"W""#), family)
        #expect(shown.headline?.text == "No reading")
        #expect(shown.headline?.unit == nil)
        #expect(shown.title == nil)
    }

    @Test func `without a reading and a label shows the widget's name`() throws {
        #expect(try Showing.present(Self.content(""), name: "Boiler").headline?.text == "Boiler")
        #expect(try Showing.present(Self.content(#""label":" ""#), name: "Boiler").headline?.text == "Boiler")
    }

    @Test(
        arguments: [
            (.small, nil), (.medium, .inline), (.large, .badge), (.rectangular, nil), (.circular, nil), (.inline, nil),
        ] as [(Family, TrendMark.Placement?)])
    func `has its trend beside it on medium and as a badge on large`(
        _ family: Family, _ placement: TrendMark.Placement?
    ) throws {
        let shown = try Showing.present(Self.content(#""value":1,"trend":"up""#), family)
        #expect(shown.trend?.placement == placement)
        #expect(shown.trend?.text == placement.map { _ in "Up" })
    }

    @Test(arguments: Family.allCases)
    func `has its range on large`(_ family: Family) throws {
        let shown = try Showing.present(Self.content(#""value":7,"unit":"°","min_value":-5,"max_value":5"#), family)
        #expect(shown.bounds?.minimum?.text == (family == .large ? "-5" : nil))
        #expect(shown.bounds?.maximum?.text == (family == .large ? "5" : nil))
        #expect(shown.bounds?.maximum?.unit == (family == .large ? "°" : nil))
        #expect(shown.headline?.text == "7", "a value out of its range is shown as sent")
    }

    @Test(arguments: Family.allCases)
    func `has three rows on large, in place of trend and range`(_ family: Family) throws {
        let rows = String.array((1...6).map { #"{"label":"l\#($0)","value":"\#($0)","unit":"u"}"# })
        let shown = try Showing.present(
            Self.content(#""value":7,"min_value":0,"trend":"down","stat_rows":\#(rows)"#), family)
        #expect(shown.rows.map(\.label) == (family == .large ? ["l1", "l2", "l3"] : []))
        #expect(shown.rows.first?.value.unit == (family == .large ? "u" : nil))
        #expect(shown.bounds == nil)
        #expect(shown.trend?.placement == (family == .medium ? .inline : nil))
    }

    @Test func `has its rows without their timers`() throws {
        let timer = #"{"date":"2026-11-30T13:00:00Z"}"#
        let shown = try Showing.present(
            Self.content(#""value":7,"stat_rows":[{"label":"Next","value":"soon","timer":\#(timer)}]"#), .large)
        #expect(shown.rows.map(\.value.text) == ["soon"])
        #expect(shown.nextChange == nil)
    }
}
