/// A document being written into memory that was made large enough beforehand.
@safe struct DocumentOutput {
    private let text: UnsafeMutablePointer<UInt8>
    private let nodes: UnsafeMutablePointer<Node>
    private(set) var textCount = 0
    private(set) var nodeCount = 0

    init(text: UnsafeMutablePointer<UInt8>, nodes: UnsafeMutablePointer<Node>) {
        unsafe self.text = text
        unsafe self.nodes = nodes
    }

    /// An object that is not ended yet.
    struct OpenObject {
        fileprivate let node: Int
        fileprivate let start: Int
    }

    mutating func beginObject() -> OpenObject {
        let object = OpenObject(node: nodeCount, start: textCount)
        nodeCount += 1
        put(0x7B)
        return object
    }

    mutating func endObject(_ object: OpenObject) {
        put(0x7D)
        unsafe nodes[object.node] = Node(
            kind: .object, extent: nodeCount - object.node, start: object.start, length: textCount - object.start)
    }

    /// Writes a name and its colon.
    mutating func copyName(_ source: DocumentView, _ name: Int) {
        separate()
        let node = source[name]
        copyNodes(source, name, count: 1, from: node.start - 1)
        copyText(source, from: node.start - 1, to: node.end + 1)
        put(0x3A)
    }

    /// Copies name, colon and value in one piece.
    mutating func copyMember(_ source: DocumentView, _ name: Int) {
        separate()
        let start = source[name].start - 1
        let value = source[name + 1]
        copyNodes(source, name, count: 1 + value.extent, from: start)
        copyText(source, from: start, to: value.wholeText.upperBound)
    }

    mutating func copyValue(_ source: DocumentView, _ value: Int) {
        let node = source[value]
        let range = node.wholeText
        copyNodes(source, value, count: node.extent, from: range.lowerBound)
        copyText(source, from: range.lowerBound, to: range.upperBound)
    }

    private mutating func put(_ byte: UInt8) {
        unsafe text[textCount] = byte
        textCount += 1
    }

    /// Nothing stands before the first member but the brace.
    private mutating func separate() {
        if unsafe text[textCount - 1] != 0x7B { put(0x2C) }
    }

    private mutating func copyText(_ source: DocumentView, from start: Int, to end: Int) {
        unsafe UnsafeMutableRawPointer(text + textCount).copyMemory(from: source.text + start, byteCount: end - start)
        textCount += end - start
    }

    /// Copies nodes whose text, from `start` on in the source, comes next in this one.
    private mutating func copyNodes(_ source: DocumentView, _ first: Int, count: Int, from start: Int) {
        let distance = textCount - start
        for offset in 0..<count {
            unsafe nodes[nodeCount + offset] = source.nodes[first + offset].moved(by: distance)
        }
        nodeCount += count
    }
}
