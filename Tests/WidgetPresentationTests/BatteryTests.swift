import Testing
import WidgetPresentation
import WidgetTestSupport

struct `A battery` {
    private static func content(_ devices: [String], _ more: String = "") -> String {
        Showing.content("battery", #""devices":\#(String.array(devices))\#(more)"#)
    }

    @Test(
        arguments: [(.small, 2), (.medium, 4), (.large, 8), (.rectangular, 2), (.circular, 1), (.inline, 1)]
            as [(Family, Int)])
    func `shows a ring for each device there is room for, from the front`(_ family: Family, _ count: Int) throws {
        let shown = try Showing.present(Self.content((1...8).map { #"{"name":"d\#($0)","level":50}"# }), family)
        #expect(shown.rings.map(\.name) == (1...count).map { "d\($0)" })
        #expect(shown.nextChange == nil)
    }

    @Test(
        arguments: [
            ("68", "68%", .green), ("20", "20%", .red), ("20.1", "20%", .green), ("18", "18%", .red), ("0", "0%", .red),
            ("0.2", "1%", .red), ("100", "100%", .green), ("99.9", "99%", .green), ("1E2", "100%", .green),
            ("45.5", "46%", .green),
        ] as [(String, String, ColorName)])
    func `fills a ring to its level, green and red from 20 down`(
        _ level: String, _ text: String, _ color: ColorName
    ) throws {
        let shown = try Showing.present(Self.content([#"{"name":"d","level":\#(level)}"#]))
        let ring = try #require(shown.rings.first)
        #expect(ring.text == text)
        #expect(ring.color?.name == color)
        let percents = try #require(Double(level))
        #expect(abs(ring.fraction - percents / 100) < 1e-12)
        #expect(!ring.isCharging)
    }

    @Test func `shows a device's own colour and icon and that it charges`() throws {
        let device = #"{"name":"Lock","level":5,"charging":true,"icon":"lock.fill","color":"Indigo"}"#
        let ring = try #require(try Showing.present(Self.content([device])).rings.first)
        #expect(ring.isCharging)
        #expect(ring.symbol == "lock.fill")
        #expect(ring.color?.name == .indigo)
    }

    @Test func `shows the devices in the order in which they are stored`() throws {
        let devices = [#"{"name":"Vacuum","level":68}"#, #"{"name":"Bell","level":18}"#, #"{"name":"Hub","level":92}"#]
        let shown = try Showing.present(Self.content(devices, #","device_sort":[{"field":"level"}]"#), .small)
        #expect(shown.rings.map(\.name) == ["Bell", "Vacuum"])
    }
}
