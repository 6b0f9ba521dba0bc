import Testing
import WidgetPresentation
import WidgetTestSupport

struct `Every template` {
    private static func with(_ template: PresentedTemplate, _ members: String) throws -> String {
        try #require(Showing.least[template]).dropLast() + ",\(members)}"
    }

    @Test(arguments: PresentedTemplate.allCases)
    func `has its subtitle on medium and large`(_ template: PresentedTemplate) throws {
        for family in Family.allCases {
            let shown = try Showing.present(Self.with(template, #""subtitle":"below""#), family)
            let hasRoom = [.medium, .large].contains(family)
            #expect(shown.subtitle?.text == (hasRoom && template != .status ? "below" : nil))
        }
    }

    @Test(arguments: PresentedTemplate.allCases)
    func `takes its accent from the content, else from the severity, else from itself`(
        _ template: PresentedTemplate
    ) throws {
        let own = try Showing.present(Self.with(template, #""accent_color":"pink","severity":"critical""#))
        #expect(own.colors?.accent.name == .pink)
        let severe = try Showing.present(Self.with(template, #""accent_color":"","severity":"critical""#))
        #expect(severe.colors?.accent.name == .red)
        let plain = try Showing.present(Self.with(template, #""severity":"""#))
        #expect(plain.colors?.accent.name != nil)
        #expect(plain.colors?.background == nil && plain.colors?.text == nil)
    }

    @Test(arguments: PresentedTemplate.allCases)
    func `has no colours on the Lock Screen`(_ template: PresentedTemplate) throws {
        let content = try Self.with(template, #""accent_color":"pink","background_color":"112233","icon":"gear""#)
        for family in Showing.lockScreen {
            let shown = try Showing.present(content, family)
            #expect(shown.colors == nil)
            #expect(shown.rings.allSatisfy { $0.color == nil } && shown.nodes.allSatisfy { $0.color == nil })
            #expect(shown.symbol == "gear")
        }
    }

    @Test(arguments: PresentedTemplate.allCases)
    func `has one button on small, two on medium and large, none on the Lock Screen`(
        _ template: PresentedTemplate
    ) throws {
        let content = try Self.with(
            template,
            #""url_action":{"url":"a:b","title":"Ack","icon":"checkmark"},"secondary_url_action":{"url":"a:b"}"#)
        for family in Family.allCases {
            let buttons = try Showing.present(content, family).buttons
            let titles = ["Ack", "Open"]
            #expect(buttons.map(\.title) == (family.isHomeScreen ? Array(titles.prefix(family == .small ? 1 : 2)) : []))
        }
        let second = try Self.with(template, #""secondary_url_action":{"url":"a:b","icon":"gear"}"#)
        #expect(try Showing.present(second, .small).buttons.isEmpty)
        let button = try Showing.present(second).buttons.first
        #expect(button?.action == .secondary)
        #expect(button?.title == nil)
        #expect(button?.symbol == "gear")
    }
}

struct `A colour` {
    @Test(
        arguments: [
            ("red", "#FF3B30"), ("TEAL", "#5AC8FA"), ("FF5733", "#FF5733"), ("#ff5733", "#FF5733"),
            ("#FF573380", "#FF573380"), ("000000", "#000000"), ("#00000000", "#00000000"), ("0A0B0CFF", "#0A0B0C"),
        ])
    func `is a name or hex digits with alpha last`(_ text: String, _ hex: String) throws {
        let shown = try Showing.present(Showing.content("value", #""background_color":"\#(text)""#))
        #expect(shown.colors?.background?.hex == hex)
    }

    @Test(arguments: ColorName.allCases)
    func `keeps its name`(_ name: ColorName) throws {
        let shown = try Showing.present(Showing.content("value", #""text_color":"\#(name.rawValue)""#))
        #expect(shown.colors?.text?.name == name)
    }
}
