import Testing
import WidgetPresentation
import WidgetTestSupport

struct `A countdown` {
    private static let end = "2026-11-30T14:05:08Z"
    private static func content(_ more: String = "") -> String {
        Showing.content("countdown", #""end_date":"\#(end)","label":"Cert"\#(more)"#)
    }

    @Test(
        arguments: [
            ("2026-11-30T12:00:00Z", "2:05:08", .down), ("2026-11-30T12:00:00.999999999Z", "2:05:08", .down),
            ("2026-11-30T12:00:01Z", "2:05:07", .down), ("2026-11-30T13:05:08Z", "1:00:00", .down),
            ("2026-11-30T13:05:09Z", "59:59", .down), ("2026-11-30T14:05:00Z", "0:08", .down),
            ("2026-11-30T14:05:07.999999999Z", "0:01", .down), ("2026-11-30T14:05:08Z", "0:00", .up),
            ("2026-11-30T14:05:08.999999999Z", "0:00", .up), ("2026-11-30T14:05:09Z", "0:01", .up),
            ("2026-12-02T14:05:08Z", "48:00:00", .up), ("2026-11-20T14:05:08Z", "240:00:00", .down),
        ] as [(String, String, TimerDirection)])
    func `shows the time left, then the time since`(
        _ clock: String, _ text: String, _ direction: TimerDirection
    ) throws {
        for family in Family.allCases {
            let shown = try Showing.present(Self.content(), family, at: clock)
            #expect(shown.headline?.text == text)
            #expect(shown.headline?.timer?.direction == direction)
            #expect(shown.headline?.timer?.date == Trial.moment(Self.end))
            #expect(shown.meter == nil)
        }
    }

    @Test(
        arguments: [
            ("2026-11-30T12:00:00Z", "2026-11-30T12:00:01Z"), ("2026-11-30T12:00:00.5Z", "2026-11-30T12:00:01Z"),
            ("2026-11-30T14:05:07.999999999Z", "2026-11-30T14:05:08Z"), (end, "2026-11-30T14:05:09Z"),
        ])
    func `changes with every second`(_ clock: String, _ next: String) throws {
        #expect(try Showing.present(Self.content(), at: clock).nextChange == Trial.moment(next))
    }

    @Test func `says its expired text from the end on, and then changes no more`() throws {
        let content = Self.content(#","expired_text":"Renewing""#)
        let before = try Showing.present(content, at: "2026-11-30T14:05:07.999999999Z")
        #expect(before.headline?.text == "0:01")
        #expect(before.nextChange == Trial.moment(Self.end))
        let after = try Showing.present(content, at: Self.end)
        #expect(after.headline?.text == "Renewing")
        #expect(after.headline?.timer == nil)
        #expect(after.nextChange == nil)
    }

    @Test func `with an empty expired text counts up`() throws {
        let shown = try Showing.present(Self.content(#","expired_text":"""#), at: "2026-11-30T14:06:08Z")
        #expect(shown.headline?.text == "1:00")
    }

    @Test(
        arguments: [
            (.small, .bar), (.medium, .bar), (.large, .bar), (.rectangular, .bar), (.circular, .ring), (.inline, nil),
        ] as [(Family, Meter.Shape?)])
    func `with a start has a bar from there to its end`(_ family: Family, _ shape: Meter.Shape?) throws {
        let content = Self.content(#","start_date":"2026-11-30T12:05:08Z","expired_text":"Renewing""#)
        let moments: [(String, Double)] = [
            ("2026-11-30T12:00:00Z", 0), ("2026-11-30T13:05:08Z", 0.5), (Self.end, 1), ("2026-12-30T12:00:00Z", 1),
        ]
        for (clock, fraction) in moments {
            let shown = try Showing.present(content, family, at: clock)
            #expect(shown.meter?.shape == shape)
            #expect(shown.meter?.fraction == shape.map { _ in fraction })
            #expect(shown.meter?.window?.end == shape.map { _ in Trial.moment(Self.end) })
        }
    }
}
