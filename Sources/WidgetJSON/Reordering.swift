extension Document {
    /// The document with an array's elements in another order.
    /// - Parameters:
    ///   - position: of the array.
    ///   - order: the place in today's array of each element of the new one; a permutation.
    public func reordered(elementsOf position: Int, by order: [Int]) -> Document {
        let elements = Array(elements(of: position))
        guard !elements.isEmpty else { return self }
        var result = self
        var textEnd = nodes[position].start + 1
        var nodeEnd = position + 1
        for place in order {
            let element = elements[place]
            let range = nodes[element].wholeText
            let newText = textEnd..<textEnd + range.count
            result.text.replaceSubrange(newText, with: text[range])
            if newText.upperBound < nodes[position].end - 1 { result.text[newText.upperBound] = 0x2C }
            for (offset, old) in (element..<element + nodes[element].extent).enumerated() {
                result.nodes[nodeEnd + offset] = nodes[old].moved(by: newText.lowerBound - range.lowerBound)
            }
            nodeEnd += nodes[element].extent
            textEnd = newText.upperBound + 1
        }
        return result
    }

    /// The value of the member of `object` that is named as the member name at `name` in another document.
    public func memberNamed(like name: Int, in other: Document, of object: Int) -> Int? {
        return withView { view in
            other.withView { view.member(namedLike: $0[name], in: $0, of: object) }
        }
    }
}
