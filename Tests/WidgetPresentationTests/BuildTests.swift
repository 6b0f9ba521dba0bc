import Testing
import WidgetContract
import WidgetPresentation
import WidgetTestSupport

struct `A build before 1.6` {
    @Test(arguments: PresentedTemplate.allCases)
    func `shows nothing of the templates that are newer`(_ template: PresentedTemplate) throws {
        let content = try #require(Showing.least[template])
        let rule = Contract.template(try #require(Template(rawValue: template.rawValue)))
        for family in Family.allCases {
            let old = try Showing.present(content, family, build: .before16)
            #expect(old.unavailability == (rule.needsNewBuild ? .needsBuild16 : nil))
            #expect((old.nextChange == nil && old.colors == nil) || !rule.needsNewBuild)
            let new = try Showing.present(content, family)
            #expect(new.unavailability == nil)
            if !rule.needsNewBuild {
                var same = new
                same.device.build = .before16
                #expect(old == same, "what is not new is shown as on newer builds")
            }
        }
    }

    @Test func `is told apart for every template of the contract`() {
        #expect(PresentedTemplate.allCases.map(\.rawValue) == Template.allCases.map(\.rawValue))
        #expect(Set(Showing.least.keys) == Set(PresentedTemplate.allCases))
    }
}
