/// A document's nodes as it keeps them: in half the memory where the document is short, as most widgets are.
@usableFromInline enum NodeList: Equatable, Sendable {
    /// Of a text of at most `PackedNode.longestText` bytes with at most `PackedNode.mostNodes` nodes.
    case packed([PackedNode])
    case whole([Node])

    /// - Parameter length: bytes of the document's text.
    init(_ nodes: UnsafeBufferPointer<Node>, ofText length: Int) {
        self =
            PackedNode.fits(nodes.count, ofText: length)
            ? unsafe .packed(nodes.map(PackedNode.init)) : unsafe .whole(Array(nodes))
    }

    @inlinable subscript(position: Int) -> Node {
        switch self {
        case .packed(let nodes): nodes[position].node
        case .whole(let nodes): nodes[position]
        }
    }

    /// Lends the nodes; packed ones are unpacked onto the stack.
    @inlinable func withNodes<Result, Failure: Error>(
        _ body: (UnsafePointer<Node>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        switch self {
        case .whole(let nodes):
            // A document has a root, so that neither list is empty.
            return try unsafe nodes.withUnsafeBufferPointer { (nodes) throws(Failure) in
                try unsafe body(nodes.baseAddress!)
            }
        case .packed(let nodes):
            return try unsafe withUnsafeTemporaryAllocation(of: Node.self, capacity: nodes.count) {
                (memory) throws(Failure) in
                unsafe nodes.withUnsafeBufferPointer { nodes in
                    for index in 0..<nodes.count { unsafe memory.initializeElement(at: index, to: nodes[index].node) }
                }
                return try unsafe body(UnsafePointer(memory.baseAddress!))
            }
        }
    }

    /// Becomes a copy of these nodes, in its own memory where that fits.
    mutating func assign(_ nodes: UnsafeBufferPointer<Node>, ofText length: Int) {
        guard case .packed(var packed) = self, PackedNode.fits(nodes.count, ofText: length),
            packed.suits(nodes.count)
        else {
            self = unsafe NodeList(nodes, ofText: length)
            return
        }
        // The list is alone again, and stays where it is.
        self = .whole([])
        if packed.count != nodes.count {
            packed.removeAll(keepingCapacity: true)
            packed.append(contentsOf: repeatElement(PackedNode(Node(bits: 0)), count: nodes.count))
        }
        unsafe packed.withUnsafeMutableBufferPointer { packed in
            for index in 0..<nodes.count { unsafe packed[index] = PackedNode(nodes[index]) }
        }
        self = .packed(packed)
    }
}

/// A node of a short document in 32 bits, from the low one: kind and escaped as in `Node`, extent 8, start 10, length 10.
@usableFromInline struct PackedNode: Hashable, Sendable {
    @usableFromInline let bits: UInt32

    private static let longestText = 1023
    /// Unpacked, so many take the most that is put onto the stack without asking for its bounds.
    private static let mostNodes = 128

    /// Whether so many nodes of a text of so many bytes can be packed.
    static func fits(_ count: Int, ofText length: Int) -> Bool { count <= mostNodes && length <= longestText }

    @inline(__always) init(_ node: Node) {
        bits = UInt32(
            truncatingIfNeeded: node.bits & 0xFFF | node.bits >> 12 & 0x3FF000 | node.bits >> 22 & 0xFFC0_0000)
    }

    @inlinable @inline(__always) var node: Node {
        let bits = UInt64(bits)
        return Node(bits: bits & 0xFFF | (bits & 0x3FF000) << 12 | (bits & 0xFFC0_0000) << 22)
    }
}

extension Array {
    /// Its memory is large enough for so many elements, and at most twice as large.
    func suits(_ count: Int) -> Bool { capacity >= count && capacity / 2 <= count }
}
