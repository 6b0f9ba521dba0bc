import Testing
import WidgetPresentation
import WidgetTestSupport

struct `A stale widget` {
    @Test(arguments: PresentedTemplate.allCases)
    func `dims on the Home Screen and says as of when`(_ template: PresentedTemplate) throws {
        let content = try #require(Showing.least[template])
        func show(_ family: Family, _ clock: String) throws -> Presentation {
            try Showing.present(content, family, at: clock, staleAfter: 900, updated: "2026-11-30T12:03:10.25Z")
        }
        for family in Family.allCases {
            #expect(try show(family, "2026-11-30T12:18:10.249999999Z").staleness == nil)
            let stale = try show(family, "2026-11-30T12:18:10.25Z").staleness
            #expect(stale?.text == (family.isHomeScreen ? "as of 2026-11-30 12:03 UTC" : nil))
            #expect(stale?.asOf == (family.isHomeScreen ? Trial.moment("2026-11-30T12:03:10.25Z") : nil))
        }
    }

    @Test(arguments: Family.allCases)
    func `changes once, on the Lock Screen never`(_ family: Family) throws {
        let content = Showing.content("value", #""value":1"#)
        let fresh = try Showing.present(content, family, staleAfter: 60)
        #expect(fresh.nextChange == (family.isHomeScreen ? Trial.moment("2026-11-30T12:01:00Z") : nil))
        #expect(try Showing.present(content, family, at: "2026-11-30T12:01:00Z", staleAfter: 60).nextChange == nil)
    }

    @Test func `is none without stale_after, however old`() throws {
        let shown = try Showing.present(Showing.content("value", #""value":1"#), at: "2099-01-01T00:00:00Z")
        #expect(shown.staleness == nil)
        #expect(shown.nextChange == nil)
    }
}
