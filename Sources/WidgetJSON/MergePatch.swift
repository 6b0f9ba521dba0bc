extension Document {
    /// Fills `result` with this document merged with a patch by RFC 7396: objects merge deep, arrays and scalars
    /// replace, null removes. Members keep the order in which they were first seen, and what the patch does not touch
    /// keeps its bytes.
    ///
    /// - Parameters:
    ///   - patch: the document that holds the patch.
    ///   - position: where in it the patch stands.
    ///   - ignoring: a member of the patch's top level that does not count.
    public func merged(with patch: Document, at position: Int = 0, ignoring: String? = nil, into result: inout Document)
    {
        result.refill { text, nodes in
            var merge = Merge(patch: patch, text: [], nodes: [])
            swap(&merge.text, &text)
            swap(&merge.nodes, &nodes)
            if patch[position].kind == .object {
                merge.mergeObject(self, self[0].kind == .object ? 0 : nil, position, ignoring: ignoring)
            } else {
                merge.copyValue(patch, position)
            }
            swap(&merge.text, &text)
            swap(&merge.nodes, &nodes)
        }
    }

    /// This document merged with a patch (RFC 7396).
    public func merged(with patch: Document) -> Document {
        var result = Document()
        merged(with: patch, into: &result)
        return result
    }
}

/// A merge under way: the result so far.
private struct Merge {
    let patch: Document
    var text: [UInt8]
    var nodes: [Node]

    /// Members of a patch object that a bit each can remember; a larger one is looked up again.
    private static let remembered = 64

    /// Writes the object that results from the patch object at `change` and the target's object at `object`, which may
    /// be absent.
    mutating func mergeObject(_ target: Document, _ object: Int?, _ change: Int, ignoring: String? = nil) {
        let container = nodes.count
        let start = text.count
        nodes.append(Node(bits: 0))
        text.append(0x7B)
        var used: UInt64 = 0
        if let object {
            let end = object + target.nodes[object].extent
            var name = object + 1
            while name < end {
                let value = name + 1
                if let (found, index) = find(target, name, in: change) {
                    if index < Self.remembered { used |= 1 << UInt64(index) }
                    put(target, name, value, patchedBy: found)
                } else {
                    copyMember(target, name)
                }
                name = value + target.nodes[value].extent
            }
        }
        let end = change + patch.nodes[change].extent
        var name = change + 1
        var index = 0
        while name < end {
            let value = name + 1
            let isUsed =
                if index < Self.remembered {
                    used & 1 << UInt64(index) != 0
                } else if let object {
                    contains(target, object, name)
                } else {
                    false
                }
            if !isUsed && patch.nodes[value].kind != .null && !isIgnored(name, ignoring) {
                putNew(name, value)
            }
            name = value + patch.nodes[value].extent
            index += 1
        }
        text.append(0x7D)
        nodes[container] = Node(
            kind: .object, extent: nodes.count - container, start: start, length: text.count - start)
    }

    private func isIgnored(_ name: Int, _ ignored: String?) -> Bool {
        guard let ignored else { return false }
        return patch.hasString(at: name, equalTo: ignored)
    }

    /// Writes a member of the target as the patch's value at `change` leaves it.
    private mutating func put(_ target: Document, _ name: Int, _ value: Int, patchedBy change: Int) {
        switch patch.nodes[change].kind {
        case .null: return
        case .object:
            copyName(target, name)
            mergeObject(target, target.nodes[value].kind == .object ? value : nil, change)
        default:
            copyName(target, name)
            copyValue(patch, change)
        }
    }

    /// Writes a member that only the patch has; nulls inside its objects remove nothing and are dropped.
    private mutating func putNew(_ name: Int, _ value: Int) {
        guard patch.nodes[value].kind == .object else { return copyMember(patch, name) }
        copyName(patch, name)
        mergeObject(patch, nil, value)
    }

    private func find(_ target: Document, _ name: Int, in change: Int) -> (value: Int, index: Int)? {
        let end = change + patch.nodes[change].extent
        var candidate = change + 1
        var index = 0
        while candidate < end {
            if Self.sameName(target, name, patch, candidate) { return (candidate + 1, index) }
            candidate += 1 + patch.nodes[candidate + 1].extent
            index += 1
        }
        return nil
    }

    private func contains(_ target: Document, _ object: Int, _ patchName: Int) -> Bool {
        target.members(of: object).contains { Self.sameName(target, $0.name, patch, patchName) }
    }

    private static func sameName(_ left: Document, _ leftName: Int, _ right: Document, _ rightName: Int) -> Bool {
        let one = left.nodes[leftName]
        let other = right.nodes[rightName]
        guard one.length == other.length else { return false }
        var index = one.start
        var otherIndex = other.start
        let end = one.end
        while index < end {
            if left.text[index] != right.text[otherIndex] { return false }
            index += 1
            otherIndex += 1
        }
        return true
    }

    private mutating func copyName(_ source: Document, _ name: Int) {
        separate()
        copyNodes(source, name, count: 1, distance: text.count - (source.nodes[name].start - 1))
        text.append(contentsOf: source.text[source.nodes[name].wholeText])
        text.append(0x3A)
    }

    /// Copies name, colon and value in one piece.
    private mutating func copyMember(_ source: Document, _ name: Int) {
        separate()
        let start = source.nodes[name].start - 1
        let value = source.nodes[name + 1]
        copyNodes(source, name, count: 1 + value.extent, distance: text.count - start)
        text.append(contentsOf: source.text[start..<value.wholeText.upperBound])
    }

    mutating func copyValue(_ source: Document, _ value: Int) {
        let node = source.nodes[value]
        let range = node.wholeText
        copyNodes(source, value, count: node.extent, distance: text.count - range.lowerBound)
        text.append(contentsOf: source.text[range])
    }

    private mutating func copyNodes(_ source: Document, _ first: Int, count: Int, distance: Int) {
        for position in first..<first + count {
            nodes.append(source.nodes[position].moved(by: distance))
        }
    }

    private mutating func separate() {
        if text.last != 0x7B { text.append(0x2C) }
    }
}
