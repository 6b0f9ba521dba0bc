import Testing
import WidgetPresentation
import WidgetTestSupport

struct `A subtitle timer` {
    private static func content(
        _ template: PresentedTemplate, _ date: String, style: String? = nil
    ) throws -> String {
        let least = try #require(Showing.least[template])
        let style = style.map { #","style":"\#($0)""# } ?? ""
        return least.dropLast() + #","subtitle":"static, text","subtitle_timer":{"date":"\#(date)"\#(style)}}"#
    }

    @Test(arguments: PresentedTemplate.allCases)
    func `takes the place of the subtitle on every template`(_ template: PresentedTemplate) throws {
        for family in Family.allCases {
            let shown = try Showing.present(Self.content(template, "2026-11-30T12:10:05Z"), family)
            let hasRoom = [.medium, .large].contains(family)
            #expect(shown.subtitle?.text == (hasRoom ? "10:05" : nil))
            #expect(shown.pills.isEmpty)
            if hasRoom { #expect(shown.nextChange == Trial.moment("2026-11-30T12:00:01Z")) }
        }
    }

    @Test(arguments: [PresentedTemplate.value, .progress, .status, .gauge, .statList])
    func `is the subtitle's own text on builds before 1.6`(_ template: PresentedTemplate) throws {
        let shown = try Showing.present(Self.content(template, "2026-11-30T12:10:05Z"), build: .before16)
        #expect(shown.subtitle?.text == (template == .status ? nil : "static, text"))
        #expect(shown.pills == (template == .status ? ["static", "text"] : []))
        #expect(shown.nextChange == nil)
    }

    @Test(
        arguments: [
            ("2026-11-30T12:00:45Z", "45 sec", "2026-11-30T12:00:01Z"),
            ("2026-11-30T12:01:00Z", "1 min", "2026-11-30T12:00:01Z"),
            ("2026-11-30T12:02:30Z", "2 min", "2026-11-30T12:00:31Z"),
            ("2026-11-30T15:59:59Z", "3 hr", "2026-11-30T13:00:00Z"),
            ("2026-12-01T12:00:00Z", "1 day", "2026-11-30T12:00:01Z"),
            ("2026-12-05T12:00:00Z", "5 days", "2026-11-30T12:00:01Z"),
            ("2026-11-30T12:00:00Z", "0 sec", "2026-11-30T12:00:01Z"),
            ("2026-11-30T11:59:01Z", "59 sec", "2026-11-30T12:00:01Z"),
            ("2026-11-30T11:57:30Z", "2 min", "2026-11-30T12:00:30Z"),
            ("2026-11-30T09:30:00Z", "2 hr", "2026-11-30T12:30:00Z"),
            ("2026-11-28T00:00:00Z", "2 days", "2026-12-01T00:00:00Z"),
        ])
    func `of the relative style is one coarse unit and changes with it`(
        _ date: String, _ text: String, _ next: String
    ) throws {
        let shown = try Showing.present(Self.content(.value, date, style: "relative"))
        #expect(shown.subtitle?.text == text)
        #expect(shown.subtitle?.timer?.style == .relative)
        #expect(shown.nextChange == Trial.moment(next))
    }
}
