import Testing
import WidgetPresentation
import WidgetTestSupport

struct `A stat list` {
    private static func content(_ rows: [String]) -> String {
        Showing.content("stat_list", #""label":"April","stat_rows":\#(String.array(rows))"#)
    }
    private static func row(_ number: Int, _ value: String = "8 333", _ more: String = "") -> String {
        #"{"label":"l\#(number)","value":"\#(value)"\#(more)}"#
    }

    @Test(
        arguments: [(.small, 4), (.medium, 6), (.large, 6), (.rectangular, 3), (.circular, 1), (.inline, 1)]
            as [(Family, Int)])
    func `shows as many rows as the family has room for, from the front`(_ family: Family, _ count: Int) throws {
        let shown = try Showing.present(Self.content((1...6).map { Self.row($0) }), family)
        #expect(shown.rows.map(\.label) == (1...count).map { "l\($0)" })
        #expect(shown.rowColumns == 1)
        #expect(shown.headline == nil)
    }

    @Test func `shows values as they were sent`() throws {
        let shown = try Showing.present(Self.content([Self.row(1, "$8 333.10", #","unit":"USD""#)]))
        #expect(shown.rows.first?.value.text == "$8 333.10")
        #expect(shown.rows.first?.value.unit == "USD")
        #expect(shown.title == "April")
    }

    @Test func `packs six very short rows on the rectangular family`() throws {
        let short = try Showing.present(Self.content((1...6).map { Self.row($0, "✓") }), .rectangular)
        #expect(short.rows.count == 6)
        #expect(short.rowColumns == 2)
        let three = try Showing.present(Self.content((1...3).map { Self.row($0, "12") }), .rectangular)
        #expect(three.rowColumns == 1)
        let long = try Showing.present(
            Self.content((1...5).map { Self.row($0, "1") } + [Self.row(6, "12", #","unit":"ms""#)]), .rectangular)
        #expect(long.rows.count == 3)
        #expect(long.rowColumns == 1)
    }

    private static let timed = content([
        row(1, "12 min ago", #","timer":{"date":"2026-11-30T11:48:00Z","style":"relative"}"#),
        row(2, "soon", #","unit":"h","timer":{"date":"2026-11-30T14:05:08Z"}"#), row(3, "14"),
    ])

    @Test func `lets rows with a timer tick`() throws {
        let shown = try Showing.present(Self.timed)
        #expect(shown.rows.map(\.value.text) == ["12 min", "2:05:08", "14"])
        #expect(shown.rows.map(\.value.timer?.direction) == [.up, .down, nil])
        #expect(shown.rows.map(\.value.unit) == [nil, nil, nil])
        #expect(shown.nextChange == Trial.moment("2026-11-30T12:00:01Z"))
    }

    @Test func `shows the values of rows with a timer on builds before 1.6`() throws {
        let shown = try Showing.present(Self.timed, build: .before16)
        #expect(shown.rows.map(\.value.text) == ["12 min ago", "soon", "14"])
        #expect(shown.rows.map(\.value.unit) == [nil, "h", nil])
        #expect(shown.nextChange == nil)
    }

    @Test func `does not change for a timer that the family has no room for`() throws {
        let rows = (1...4).map { Self.row($0) } + [Self.row(5, "x", #","timer":{"date":"2026-11-30T13:00:00Z"}"#)]
        #expect(try Showing.present(Self.content(rows), .small).nextChange == nil)
        #expect(try Showing.present(Self.content(rows), .medium).nextChange != nil)
    }
}
