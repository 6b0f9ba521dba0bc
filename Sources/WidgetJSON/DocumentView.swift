/// A document's text and nodes as plain memory, for the walks that every message pays for: an array's subscript checks
/// its bounds and counts its references at each byte.
///
/// `Document.withView` lends it, for its closure alone. Positions must be those of values or names of the document: its
/// own rules then keep every access within its memory.
@safe public struct DocumentView {
    @usableFromInline let text: UnsafePointer<UInt8>
    @usableFromInline let nodes: UnsafePointer<Node>

    @usableFromInline init(text: UnsafePointer<UInt8>, nodes: UnsafePointer<Node>) {
        unsafe self.text = text
        unsafe self.nodes = nodes
    }

    @inlinable public subscript(position: Int) -> Node { unsafe nodes[position] }

    /// The position behind the value at `position` and all below it.
    @inlinable public func end(of position: Int) -> Int { position + self[position].extent }

    /// The text of a value or name of this document; a string's without its quotes.
    @inlinable public func bytes(of node: Node) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: text + node.start, count: node.length)
    }

    /// True when a node's text has the same bytes as that of another document's.
    @inlinable public func hasSameText(_ node: Node, as other: Node, in document: DocumentView) -> Bool {
        guard node.length == other.length else { return false }
        return unsafe RawBytes.areEqual(text + node.start, document.text + other.start, count: node.length)
    }

    /// The value of the member that is named as `name`, a name in another document; `nil` when there is none or
    /// `object` is no object. `place` is where the last such search ended, at first 0: members mostly stand in the same
    /// order in both.
    @inlinable public func member(
        namedLike name: Node, in document: DocumentView, of object: Int, from place: inout Int
    ) -> Int? {
        let end = end(of: object)
        if place > object && place < end, hasSameText(self[place], as: name, in: document) {
            defer { place = self.end(of: place + 1) }
            return place + 1
        }
        guard let value = member(namedLike: name, in: document, of: object) else { return nil }
        place = self.end(of: value)
        return value
    }

    /// The value of the member that is named as `name`, a name in another document; `nil` when there is none or
    /// `object` is no object.
    @inlinable public func member(namedLike name: Node, in document: DocumentView, of object: Int) -> Int? {
        guard self[object].kind == .object else { return nil }
        let end = end(of: object)
        var member = object + 1
        while member < end {
            if hasSameText(self[member], as: name, in: document) { return member + 1 }
            member = self.end(of: member + 1)
        }
        return nil
    }

    /// The value of the member whose name has exactly these bytes; `nil` when there is none or `position` is no object.
    public func member(_ name: StaticString, of position: Int) -> Int? {
        unsafe member(UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount), of: position)
    }

    /// The same for a name that is not known beforehand.
    public func member(named name: String, of position: Int) -> Int? {
        unsafe name.withBytes { unsafe member($0, of: position) }
    }

    private func member(_ wanted: UnsafeRawBufferPointer, of position: Int) -> Int? {
        guard self[position].kind == .object else { return nil }
        let end = end(of: position)
        var member = position + 1
        while member < end {
            if unsafe isString(self[member], wanted) { return member + 1 }
            member = self.end(of: member + 1)
        }
        return nil
    }

    /// True when the string (or member name) at `position` has exactly these bytes.
    public func hasString(at position: Int, equalTo expected: String) -> Bool {
        let node = self[position]
        guard node.kind == .string else { return false }
        return unsafe expected.withBytes { unsafe isString(node, $0) }
    }

    /// The string at `position` with its escapes read; `nil` when it is no string.
    public func string(at position: Int) -> String? {
        let node = self[position]
        guard node.kind == .string else { return nil }
        let text = unsafe bytes(of: node)
        return node.isEscaped
            ? unsafe String(decoding: Escapes.read(Array(text)[...]), as: UTF8.self)
            : unsafe String(decoding: text, as: UTF8.self)
    }

    /// The names of an object's members, escapes read.
    public func names(of object: Int) -> [String] {
        guard self[object].kind == .object else { return [] }
        var names: [String] = []
        var name = object + 1
        while name < end(of: object) {
            names.append(string(at: name) ?? "")
            name = end(of: name + 1)
        }
        return names
    }

    /// A copy of the value's text as it would be written.
    public func textOfValue(at position: Int) -> [UInt8] {
        let range = self[position].wholeText
        return unsafe Array(UnsafeBufferPointer(start: text + range.lowerBound, count: range.count))
    }

    private func isString(_ node: Node, _ wanted: UnsafeRawBufferPointer) -> Bool {
        guard node.isEscaped else {
            guard node.length == wanted.count else { return false }
            guard let start = unsafe wanted.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return true }
            return unsafe RawBytes.areEqual(text + node.start, start, count: node.length)
        }
        return unsafe Escapes.read(Array(bytes(of: node))[...]).elementsEqual(wanted)
    }

    /// The number at `position`, as `Document.number(at:)` gives it.
    public func number(at position: Int) -> Double? {
        let node = self[position]
        return node.kind == .number ? unsafe DoubleText.read(bytes(of: node)) : nil
    }
}

extension Document {
    /// Lends the document's memory to `body`.
    @inlinable public func withView<Result, Failure: Error>(
        _ body: (DocumentView) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe text.withUnsafeBufferPointer { (text: UnsafeBufferPointer<UInt8>) throws(Failure) in
            try unsafe nodes.withNodes { (nodes) throws(Failure) in
                // No document's text is empty.
                try body(unsafe DocumentView(text: text.baseAddress!, nodes: nodes))
            }
        }
    }
}

/// Comparisons of plain memory, a word at a time: most texts are shorter than a call of the C library takes.
public enum RawBytes {
    @inlinable public static func areEqual(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, count: Int)
        -> Bool
    {
        var offset = 0
        while offset + 8 <= count {
            guard unsafe word(left + offset) == word(right + offset) else { return false }
            offset += 8
        }
        while offset < count {
            guard unsafe left[offset] == right[offset] else { return false }
            offset += 1
        }
        return true
    }

    @inlinable static func word(_ bytes: UnsafePointer<UInt8>) -> UInt64 {
        unsafe UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self)
    }
}
