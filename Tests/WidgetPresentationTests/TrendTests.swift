import Testing
import WidgetPresentation

struct `A trend` {
    private static func content(_ points: String, _ more: String = "") -> String {
        Showing.content("trend", #""value":371,"unit":"ms","points":\#(points)\#(more)"#)
    }

    @Test func `scales its chart to the points`() throws {
        #expect(try Showing.present(Self.content("[300,350,400]")).sparkline == [0, 0.5, 1])
        #expect(try Showing.present(Self.content("[7,7]")).sparkline == [0.5, 0.5])
        #expect(try Showing.present(Self.content("[1e308,-1e308,0]")).sparkline == [1, 0, 0.5])
        let oneBound = try Showing.present(Self.content("[300,400]", #","min_value":0"#))
        #expect(oneBound.sparkline == [0, 1])
    }

    @Test func `keeps its chart within both bounds when they are set`() throws {
        let shown = try Showing.present(Self.content("[-50,0,50,100,150]", #","min_value":0,"max_value":100"#))
        #expect(shown.sparkline == [0, 0, 0.5, 1, 1])
        #expect(shown.bounds == nil)
    }

    @Test(arguments: Family.allCases)
    func `shows the reading everywhere, chart and arrow where there is room`(_ family: Family) throws {
        let shown = try Showing.present(Self.content("[1,2]", #","trend":"down""#), family)
        let hasRoom = ![.circular, .inline].contains(family)
        #expect(shown.headline?.text == "371")
        #expect(shown.headline?.unit == "ms")
        #expect(shown.sparkline.isEmpty == !hasRoom)
        #expect(shown.trend?.placement == (hasRoom ? .inline : nil))
        #expect(shown.nextChange == nil)
    }
}
