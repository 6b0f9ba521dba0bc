import Testing
import WidgetPresentation
import WidgetTestSupport

struct `A schedule` {
    private static func content(_ periods: [String], _ more: String = "") -> String {
        Showing.content("schedule", #""unit":"¢","periods":\#(String.array(periods))\#(more)"#)
    }
    private static func period(_ hour: Int, _ value: String, _ more: String = "") -> String {
        #"{"start":"2026-11-30T\#(hour):00:00Z","value":\#(value)\#(more)}"#
    }
    private static let tariff = content([period(11, "14.2"), period(12, "18.7"), period(13, "22.4")])

    @Test(
        arguments: [
            ("2026-11-30T10:59:59.999999999Z", nil, nil, "2026-11-30T11:00:00Z"),
            ("2026-11-30T11:00:00Z", 0, "14.2", "2026-11-30T12:00:00Z"),
            ("2026-11-30T11:59:59.999999999Z", 0, "14.2", "2026-11-30T12:00:00Z"),
            ("2026-11-30T12:00:00Z", 1, "18.7", "2026-11-30T13:00:00Z"),
            ("2026-11-30T13:00:00Z", 2, "22.4", nil), ("2027-11-30T13:00:00Z", 2, "22.4", nil),
        ] as [(String, Int?, String?, String?)])
    func `marks the period that contains the clock and reads its value`(
        _ clock: String, _ current: Int?, _ text: String?, _ next: String?
    ) throws {
        for family in Family.allCases {
            let shown = try Showing.present(Self.tariff, family, at: clock)
            #expect(shown.headline?.text == text)
            #expect(shown.headline?.unit == text.map { _ in "¢" })
            #expect(shown.nextChange == next.map { Trial.moment($0) })
            guard ![.circular, .inline].contains(family) else { continue }
            #expect(shown.bands.firstIndex(where: \.isCurrent) == current)
            #expect(shown.bands.filter(\.isCurrent).count == (current == nil ? 0 : 1))
        }
    }

    @Test(arguments: Family.allCases)
    func `draws a band for each period, where there is room for a chart`(_ family: Family) throws {
        let shown = try Showing.present(Self.tariff, family)
        guard ![.circular, .inline].contains(family) else {
            #expect(shown.bands.isEmpty)
            return
        }
        #expect(shown.bands.map(\.value.text) == ["14.2", "18.7", "22.4"])
        #expect(shown.bands.map(\.span.start) == (11...13).map { Trial.moment("2026-11-30T\($0):00:00Z") })
        #expect(shown.bands.map(\.span.end) == shown.bands.dropFirst().map(\.span.start) + [nil])
        #expect(shown.bands.last?.fraction == 1)
        #expect(shown.bands.allSatisfy { ($0.color != nil) == family.isHomeScreen })
    }

    @Test func `colours a period by its level, else by the third of the range it is in`() throws {
        let values = ["0", "3.2", "3.4", "6.6", "6.7", "10"]
        let derived = try Showing.present(Self.content(values.enumerated().map { Self.period(10 + $0, $1) }))
        #expect(derived.bands.map(\.level) == [.low, .low, .medium, .medium, .high, .high])
        #expect(derived.bands.map(\.color?.name) == [.green, .green, .yellow, .yellow, .red, .red])
        let said = try Showing.present(
            Self.content([Self.period(10, "0", #","level":"high""#), Self.period(11, "9", #","level":"""#)]))
        #expect(said.bands.map(\.level) == [.high, .high])
        let flat = try Showing.present(Self.content([Self.period(10, "5"), Self.period(11, "5")]))
        #expect(flat.bands.map(\.level) == [.medium, .medium])
    }

    @Test func `draws negative values from the lowest, positive ones from zero`() throws {
        let values = ["-5", "0", "5"]
        let mixed = try Showing.present(Self.content(values.enumerated().map { Self.period(10 + $0, $1) }))
        #expect(mixed.bands.map(\.fraction) == [0, 0.5, 1])
        let positive = try Showing.present(Self.content([Self.period(10, "5"), Self.period(11, "10")]))
        #expect(positive.bands.map(\.fraction) == [0.5, 1])
    }

    @Test func `is no other picture where only the figure is shown and the next period has the same`() throws {
        let content = Self.content([Self.period(11, "5"), Self.period(12, "5.0"), Self.period(13, "6")])
        let clock = "2026-11-30T11:30:00Z"
        #expect(
            try Showing.present(content, .inline, at: clock).nextChange == Trial.moment("2026-11-30T13:00:00Z"))
        #expect(
            try Showing.present(content, .small, at: clock).nextChange == Trial.moment("2026-11-30T12:00:00Z"))
    }
}
