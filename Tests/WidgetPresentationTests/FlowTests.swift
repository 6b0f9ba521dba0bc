import Testing
import WidgetPresentation

struct `A flow` {
    private static func content(_ flow: String) -> String {
        Showing.content("flow", #""unit":"W","accent_color":"mint","flow":\#(flow)"#)
    }
    private static let home = content(
        #"""
        {"output":{"name":"Home","rate":1000,"total":9.8},
        "storage":{"name":"Battery","rate":800,"level":76,"color":"green"},
        "exchange":{"rate":-1400,"total":3.1,"level":50,"icon":"bolt.fill"},
        "inputs":[{"name":"Solar","rate":3200,"total":12.4,"color":"yellow"},{"name":"Wind","rate":0}]}
        """#)

    @Test func `draws the slots that are set, with rates as magnitudes and their direction`() throws {
        let nodes = try Showing.present(Self.home).nodes
        #expect(nodes.map(\.slot) == [.inputs, .inputs, .exchange, .storage, .output])
        #expect(nodes.map(\.name) == ["Solar", "Wind", "Exchange", "Battery", "Home"])
        #expect(nodes.map(\.rate.text) == ["3,200", "0", "1,400", "800", "1,000"])
        #expect(nodes.map(\.direction) == [.inbound, .idle, .outbound, .filling, .outbound])
        #expect(nodes.allSatisfy { $0.rate.unit == "W" })
        #expect(nodes.map(\.color?.name) == [.yellow, .mint, .mint, .green, .mint])
        #expect(nodes.map(\.symbol) == [nil, nil, "bolt.fill", nil, nil])
    }

    @Test(
        arguments: [
            ("exchange", "5", .inbound), ("exchange", "-5", .outbound), ("exchange", "0", .idle),
            ("storage", "5", .filling), ("storage", "-5", .draining), ("storage", "-0.0", .idle),
            ("output", "5", .outbound), ("output", "-5", .outbound),
        ] as [(String, String, FlowNode.Direction)])
    func `reads the sign of the two-way slots`(
        _ slot: String, _ rate: String, _ direction: FlowNode.Direction
    ) throws {
        let nodes = try Showing.present(Self.content(#"{"\#(slot)":{"rate":\#(rate)}}"#)).nodes
        #expect(nodes.map(\.direction) == [direction])
        #expect(nodes.first?.rate.text.hasPrefix("-") == false)
    }

    @Test func `shows a level on its storage only`() throws {
        let nodes = try Showing.present(Self.home).nodes
        #expect(nodes.map(\.fill?.text) == [nil, nil, nil, "76%", nil])
        #expect(nodes[3].fill?.fraction == 0.76)
    }

    @Test(
        arguments: [(.small, 5), (.medium, 5), (.large, 5), (.rectangular, 3), (.circular, 1), (.inline, 1)]
            as [(Family, Int)])
    func `shows as many nodes as there is room for, totals on medium and large`(
        _ family: Family, _ count: Int
    ) throws {
        let shown = try Showing.present(Self.home, family)
        #expect(shown.nodes.count == count)
        let hasTotals = [.medium, .large].contains(family)
        #expect(shown.nodes.first?.total?.text == (hasTotals ? "12.4" : nil))
        #expect(shown.nodes.first?.total?.unit == nil)
        #expect(shown.nextChange == nil)
    }
}
