import Testing
import WidgetPresentation

struct `A status` {
    private static func content(_ members: String) -> String { Showing.content("status", members) }

    @Test(arguments: Family.allCases)
    func `has its label as headline, else the widget's name`(_ family: Family) throws {
        let labelled = try Showing.present(Self.content(#""label":"Incident""#), family)
        #expect(labelled.headline?.text == "Incident")
        #expect(labelled.title == nil)
        #expect(try Showing.present(Self.content(""), family, name: "Gateway").headline?.text == "Gateway")
        #expect(try Showing.present(Self.content(#""label":"""#), family, name: "Gateway").headline?.text == "Gateway")
    }

    @Test(
        arguments: [
            ("", "circle.fill", .blue), (#""severity":"""#, "circle.fill", .blue),
            (#""severity":"info""#, "info.circle.fill", .blue),
            (#""severity":"warning""#, "exclamationmark.triangle.fill", .orange),
            (#""severity":"critical""#, "exclamationmark.octagon.fill", .red),
            (#""severity":"success""#, "checkmark.circle.fill", .green),
        ] as [(String, String, ColorName)])
    func `takes shape and colour from its severity`(_ members: String, _ symbol: String, _ color: ColorName) throws {
        for family in Family.allCases {
            let shown = try Showing.present(Self.content(members), family)
            #expect(shown.symbol == symbol)
            #expect(shown.colors?.accent.name == (family.isHomeScreen ? color : nil))
        }
    }

    @Test func `takes an icon and an accent of its own before those of its severity`() throws {
        let shown = try Showing.present(
            Self.content(#""severity":"critical","icon":"mdi:server","accent_color":"teal""#))
        #expect(shown.symbol == "mdi:server")
        #expect(shown.colors?.accent.name == .teal)
    }

    @Test(
        arguments: [
            ("INC-2841 · api-gateway · investigating", ["INC-2841", "api-gateway", "investigating"]),
            ("a|b•c,d;e", ["a", "b", "c", "d", "e"]), ("one", ["one"]), (" · , ;; ", []),
            ("\u{2003}wide\u{2003}·x y", ["wide", "x y"]), ("·lead, trail·", ["lead", "trail"]),
        ])
    func `breaks its subtitle into pills`(_ subtitle: String, _ pills: [String]) throws {
        let shown = try Showing.present(Self.content(#""subtitle":"\#(subtitle)""#))
        #expect(shown.pills == pills)
        #expect(shown.subtitle == nil)
    }

    @Test(arguments: Family.allCases)
    func `has pills on medium and large`(_ family: Family) throws {
        let shown = try Showing.present(Self.content(#""subtitle":"a,b""#), family)
        #expect(shown.pills.isEmpty == ![.medium, .large].contains(family))
    }
}
