/// A JSON value as its compact text and a flat list of nodes over it.
///
/// The text has no white space and the shortest escapes, so equal strings are equal bytes; numbers stand as their
/// sender wrote them. Nodes come in document order: a container, then all below it; in an object each member is the
/// node of its name followed by its value's. A value is named by the position of its node, the root by 0.
public struct Document: Equatable, Sendable {
    public internal(set) var text: [UInt8]
    @usableFromInline var nodes: NodeList

    /// `{}`
    public init() {
        text = [0x7B, 0x7D]
        nodes = .packed([PackedNode(Node(kind: .object, start: 0, length: 2))])
    }

    /// From a writer that kept the rules above.
    init(text: [UInt8], nodes: NodeList) {
        self.text = text
        self.nodes = nodes
    }

    @inlinable public subscript(position: Int) -> Node { nodes[position] }

    /// The value's text as it would be written.
    @inlinable public func textOfValue(at position: Int) -> ArraySlice<UInt8> { text[nodes[position].wholeText] }

    /// The positions of an object's members.
    @inlinable public func members(of position: Int) -> Members {
        Members(nodes: nodes, next: position + 1, end: position + nodes[position].extent)
    }

    /// The positions of an array's elements.
    @inlinable public func elements(of position: Int) -> Elements {
        Elements(nodes: nodes, next: position + 1, end: position + nodes[position].extent)
    }

    /// The value of the member whose name has exactly these bytes; `nil` when there is none or `position` is no object.
    public func member(_ name: String, of position: Int = 0) -> Int? {
        withView { $0.member(named: name, of: position) }
    }

    /// True when the string (or member name) at `position` has exactly these bytes.
    public func hasString(at position: Int, equalTo expected: String) -> Bool {
        withView { $0.hasString(at: position, equalTo: expected) }
    }

    /// The string at `position` with its escapes read; `nil` when it is no string.
    public func string(at position: Int) -> String? {
        withView { $0.string(at: position) }
    }
}

/// Walks an object's members: the position of each name; its value stands one further.
public struct Members: Sequence, IteratorProtocol {
    @usableFromInline let nodes: NodeList
    @usableFromInline var position: Int
    @usableFromInline let end: Int

    @usableFromInline init(nodes: NodeList, next: Int, end: Int) {
        self.nodes = nodes
        position = next
        self.end = end
    }

    @inlinable public mutating func next() -> (name: Int, value: Int)? {
        guard position < end else { return nil }
        let name = position
        position += 1 + nodes[name + 1].extent
        return (name, name + 1)
    }
}

/// Walks an array's elements: the position of each.
public struct Elements: Sequence, IteratorProtocol {
    @usableFromInline let nodes: NodeList
    @usableFromInline var position: Int
    @usableFromInline let end: Int

    @usableFromInline init(nodes: NodeList, next: Int, end: Int) {
        self.nodes = nodes
        position = next
        self.end = end
    }

    @inlinable public mutating func next() -> Int? {
        guard position < end else { return nil }
        defer { position += nodes[position].extent }
        return position
    }
}
