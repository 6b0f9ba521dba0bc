extension Document {
    /// True when both values are equal as JSON values: numbers by what they say (0 equals 0.0 and -0, 1E2 equals 100),
    /// arrays in order, objects in any order of members.
    public func value(at position: Int, equals other: Document, at otherPosition: Int) -> Bool {
        withView { view in
            other.withView { view.value(at: position, equals: $0, at: otherPosition) }
        }
    }
}

extension DocumentView {
    /// `Document.value(at:equals:at:)`.
    public func value(at position: Int, equals other: DocumentView, at otherPosition: Int) -> Bool {
        let node = self[position]
        let otherNode = other[otherPosition]
        guard node.kind == otherNode.kind else { return false }
        if hasSameText(node, as: otherNode, in: other) { return true }
        switch node.kind {
        case .null, .true, .false: return true
        case .string: return false
        case .number: return unsafe DecimalText.areEqual(bytes(of: node), other.bytes(of: otherNode))
        case .array: return array(at: position, equals: other, at: otherPosition)
        case .object: return object(at: position, equals: other, at: otherPosition)
        }
    }

    private func array(at position: Int, equals other: DocumentView, at otherPosition: Int) -> Bool {
        let end = end(of: position)
        let otherEnd = other.end(of: otherPosition)
        var element = position + 1
        var otherElement = otherPosition + 1
        while element < end && otherElement < otherEnd {
            guard value(at: element, equals: other, at: otherElement) else { return false }
            element = self.end(of: element)
            otherElement = other.end(of: otherElement)
        }
        return element == end && otherElement == otherEnd
    }

    /// Members mostly stand in the same order; from the first that does not, they are looked up by their names.
    private func object(at position: Int, equals other: DocumentView, at otherPosition: Int) -> Bool {
        let end = end(of: position)
        let otherEnd = other.end(of: otherPosition)
        var name = position + 1
        var otherName = otherPosition + 1
        while name < end, otherName < otherEnd, hasSameText(self[name], as: other[otherName], in: other) {
            guard value(at: name + 1, equals: other, at: otherName + 1) else { return false }
            name = self.end(of: name + 1)
            otherName = other.end(of: otherName + 1)
        }
        if name == end || otherName == otherEnd { return name == end && otherName == otherEnd }
        var names: [[UInt8]: Int] = [:]
        while otherName < otherEnd {
            names[unsafe Array(other.bytes(of: other[otherName]))] = otherName + 1
            otherName = other.end(of: otherName + 1)
        }
        var count = 0
        while name < end {
            guard let twin = names[unsafe Array(bytes(of: self[name]))], value(at: name + 1, equals: other, at: twin)
            else { return false }
            count += 1
            name = self.end(of: name + 1)
        }
        return count == names.count
    }
}

extension DecimalText {
    /// Whether two different texts say the same number.
    fileprivate static func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        // With as many digits on both sides of the point, one digit that differs is enough.
        if left.count == right.count, let point = unsafe placeOfPoint(left), unsafe placeOfPoint(right) == point {
            return false
        }
        return unsafe DecimalText(Array(left)[...]) == DecimalText(Array(right)[...])
    }

    /// Of a number that has nothing but digits and perhaps a point; its length when it has none.
    private static func placeOfPoint(_ text: UnsafeRawBufferPointer) -> Int? {
        var place = text.count
        for index in 0..<text.count {
            let byte = unsafe text[index]
            if byte == 0x2E { place = index } else if byte < 0x30 || byte > 0x39 { return nil }
        }
        return place
    }
}
