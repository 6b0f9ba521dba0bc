/// Memory for one document after the other: the body of a message, a merge before it is judged. Nothing is allocated
/// once it is large enough, and no array is asked whether it is alone.
@safe public final class DocumentBuffer {
    // One thread at a time uses a buffer, and no access to these calls anything: none meets another.
    @exclusivity(unchecked) private var text = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1024)
    @exclusivity(unchecked) private var nodes = UnsafeMutableBufferPointer<Node>.allocate(capacity: 128)
    @exclusivity(unchecked) private var usedText = 0
    @exclusivity(unchecked) private var usedNodes = 0

    /// Bytes of text.
    public var textCount: Int { unsafe usedText }

    /// Holds `{}` at first.
    public init() {
        clear()
    }

    deinit {
        unsafe text.deallocate()
        unsafe nodes.deallocate()
    }

    /// The document, until the buffer is filled anew.
    public var view: DocumentView {
        // Neither memory is ever empty.
        unsafe DocumentView(text: text.baseAddress!, nodes: nodes.baseAddress!)
    }

    /// A copy of the document.
    public var document: Document {
        unsafe Document(
            text: Array(text[..<usedText]),
            nodes: NodeList(UnsafeBufferPointer(rebasing: nodes[..<usedNodes]), ofText: usedText))
    }

    /// Holds `{}` from now on.
    public func clear() {
        refill(text: 2, nodes: 1) { output in
            let root = output.beginObject()
            output.endObject(root)
        }
    }

    /// Holds a copy of the document with this text and these nodes from now on.
    package func copy(text newText: UnsafeBufferPointer<UInt8>, nodes newNodes: UnsafeBufferPointer<Node>) {
        reserve(text: newText.count, nodes: newNodes.count)
        _ = unsafe text.update(fromContentsOf: newText)
        _ = unsafe nodes.update(fromContentsOf: newNodes)
        unsafe usedText = newText.count
        unsafe usedNodes = newNodes.count
    }

    /// - Parameters:
    ///   - textCapacity: the most bytes that `fill` may write.
    ///   - nodeCapacity: the most nodes.
    func refill(text textCapacity: Int, nodes nodeCapacity: Int, _ fill: (inout DocumentOutput) -> Void) {
        reserve(text: textCapacity, nodes: nodeCapacity)
        var output = unsafe DocumentOutput(text: text.baseAddress!, nodes: nodes.baseAddress!)
        fill(&output)
        unsafe usedText = output.textCount
        unsafe usedNodes = output.nodeCount
    }

    /// What was there is lost when the memory is not large enough.
    private func reserve(text textCapacity: Int, nodes nodeCapacity: Int) {
        if unsafe textCapacity > text.count {
            unsafe text.deallocate()
            unsafe text = .allocate(capacity: 2 * textCapacity)
        }
        if unsafe nodeCapacity > nodes.count {
            unsafe nodes.deallocate()
            unsafe nodes = .allocate(capacity: 2 * nodeCapacity)
        }
    }

    fileprivate func lend(_ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<Node>) -> Void) {
        unsafe body(
            UnsafeBufferPointer(rebasing: text[..<usedText]), UnsafeBufferPointer(rebasing: nodes[..<usedNodes]))
    }
}

extension Document {
    /// Becomes a copy of the buffer's document, in its own memory where that fits; otherwise its memory is no larger
    /// than it needs to be.
    public mutating func assign(_ buffer: DocumentBuffer) {
        unsafe buffer.lend { newText, newNodes in
            unsafe text.assign(newText)
            unsafe nodes.assign(newNodes, ofText: newText.count)
        }
    }
}

extension Array {
    fileprivate mutating func assign(_ elements: UnsafeBufferPointer<Element>) {
        guard suits(elements.count) else {
            self = unsafe Array(elements)
            return
        }
        if count == elements.count {
            unsafe withUnsafeMutableBufferPointer { _ = unsafe $0.update(fromContentsOf: elements) }
        } else {
            removeAll(keepingCapacity: true)
            unsafe append(contentsOf: elements)
        }
    }
}
