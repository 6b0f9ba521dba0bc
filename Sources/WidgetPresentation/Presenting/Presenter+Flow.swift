/// What comes in, is traded, is stored and goes out: the slots that are set.
extension Presenter {
    mutating func showFlow() {
        guard let flow = content["flow"] else { return }
        var nodes: [(slot: FlowNode.Slot, node: Cursor)] = []
        for slot in FlowNode.Slot.allCases {
            guard let member = flow[slot.rawValue] else { continue }
            nodes += (slot == .inputs ? member.elements(3) : [member]).map { (slot, $0) }
        }
        shown.nodes = nodes.prefix(room.flowNodes).map { node($0.node, in: $0.slot) }
    }

    private func node(_ node: Cursor, in slot: FlowNode.Slot) -> FlowNode {
        let rate = node["rate"]?.double ?? 0
        let total = room.hasTotals ? node["total"]?.number : nil
        let level = slot == .storage ? node["level"]?.number : nil
        return FlowNode(
            slot: slot, name: node["name"]?.text ?? Self.names[slot] ?? "",
            rate: figure(node["rate"], isSigned: false) ?? Readout("0", unit: unit),
            direction: rate == 0 ? .idle : Self.direction(rate < 0, slot),
            // The content's unit is that of the rates.
            total: total.map { Readout(Figure.text($0.exact)) },
            fill: level.map { level in
                let percentage = Percentage(level.exact, level.double, ofTenToThe: 2)
                return FlowNode.Fill(text: percentage.text, fraction: percentage.fraction)
            },
            symbol: node["icon"]?.text, color: (node["color"]?.color ?? shown.colors?.accent).flatMap(seen))
    }

    /// Inputs and the output go one way, whatever the sign.
    private static func direction(_ isNegative: Bool, _ slot: FlowNode.Slot) -> FlowNode.Direction {
        switch slot {
        case .inputs: .inbound
        case .output: .outbound
        case .exchange: isNegative ? .outbound : .inbound
        case .storage: isNegative ? .draining : .filling
        }
    }

    private static let names: [FlowNode.Slot: String] = [
        .inputs: "Input", .exchange: "Exchange", .storage: "Storage", .output: "Output",
    ]
}
