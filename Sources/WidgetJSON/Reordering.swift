extension Document {
    /// The document with an array's elements in another order.
    /// - Parameters:
    ///   - position: of the array.
    ///   - order: the place in today's array of each element of the new one; a permutation.
    public func reordered(elementsOf position: Int, by order: [Int]) -> Document {
        let elements = Array(elements(of: position))
        guard !elements.isEmpty else { return self }
        var newText = text
        var newNodes = (0..<nodes[0].extent).map { nodes[$0] }
        var textEnd = nodes[position].start + 1
        var nodeEnd = position + 1
        for place in order {
            let element = elements[place]
            let range = nodes[element].wholeText
            let newRange = textEnd..<textEnd + range.count
            newText.replaceSubrange(newRange, with: text[range])
            if newRange.upperBound < nodes[position].end - 1 { newText[newRange.upperBound] = 0x2C }
            for (offset, old) in (element..<element + nodes[element].extent).enumerated() {
                newNodes[nodeEnd + offset] = nodes[old].moved(by: newRange.lowerBound - range.lowerBound)
            }
            nodeEnd += nodes[element].extent
            textEnd = newRange.upperBound + 1
        }
        return unsafe newNodes.withUnsafeBufferPointer {
            unsafe Document(text: newText, nodes: NodeList($0, ofText: newText.count))
        }
    }

    /// The value of the member of `object` that is named as the member name at `name` in another document.
    public func memberNamed(like name: Int, in other: Document, of object: Int) -> Int? {
        return withView { view in
            other.withView { view.member(namedLike: $0[name], in: $0, of: object) }
        }
    }
}
