extension Document {
    /// True when both values are equal as JSON values: numbers by what they say (0 equals 0.0 and -0, 1E2 equals 100),
    /// arrays in order, objects in any order of members.
    public func value(at position: Int, equals other: Document, at otherPosition: Int) -> Bool {
        let node = nodes[position]
        let otherNode = other.nodes[otherPosition]
        guard node.kind == otherNode.kind else { return false }
        if hasSameText(as: node, other, otherNode) { return true }
        switch node.kind {
        case .null, .true, .false: return true
        case .string: return false
        case .number:
            return DecimalText(text[node.start..<node.end]) == DecimalText(other.text[otherNode.start..<otherNode.end])
        case .array:
            var left = elements(of: position)
            var right = other.elements(of: otherPosition)
            while true {
                switch (left.next(), right.next()) {
                case (nil, nil): return true
                case (let one?, let two?):
                    guard value(at: one, equals: other, at: two) else { return false }
                default: return false
                }
            }
        case .object:
            return object(at: position, equals: other, at: otherPosition)
        }
    }

    private func hasSameText(as node: Node, _ other: Document, _ otherNode: Node) -> Bool {
        guard node.length == otherNode.length else { return false }
        var index = node.start
        var otherIndex = otherNode.start
        while index < node.end {
            guard text[index] == other.text[otherIndex] else { return false }
            index += 1
            otherIndex += 1
        }
        return true
    }

    /// Members mostly stand in the same order; from the first that does not, they are looked up by their names.
    private func object(at position: Int, equals other: Document, at otherPosition: Int) -> Bool {
        let end = position + nodes[position].extent
        let otherEnd = otherPosition + other.nodes[otherPosition].extent
        var name = position + 1
        var otherName = otherPosition + 1
        while name < end, otherName < otherEnd, hasSameText(as: nodes[name], other, other.nodes[otherName]) {
            guard value(at: name + 1, equals: other, at: otherName + 1) else { return false }
            name += 1 + nodes[name + 1].extent
            otherName += 1 + other.nodes[otherName + 1].extent
        }
        if name == end || otherName == otherEnd { return name == end && otherName == otherEnd }
        var names: [[UInt8]: Int] = [:]
        while otherName < otherEnd {
            names[Array(other.text[other.nodes[otherName].wholeText])] = otherName + 1
            otherName += 1 + other.nodes[otherName + 1].extent
        }
        var count = 0
        while name < end {
            guard let twin = names[Array(text[nodes[name].wholeText])], value(at: name + 1, equals: other, at: twin)
            else { return false }
            count += 1
            name += 1 + nodes[name + 1].extent
        }
        return count == names.count
    }
}
