extension DocumentBuffer {
    /// Holds the merge of a document with a patch by RFC 7396 from now on: objects merge deep, arrays and scalars
    /// replace, null removes. Members keep the order in which they were first seen, and what the patch does not touch
    /// keeps its bytes.
    ///
    /// - Parameters:
    ///   - target: what is patched; it and the patch lie elsewhere.
    ///   - position: where in its document the patch stands.
    ///   - ignoring: a member of the patch's top level that does not count.
    public func merge(
        _ target: DocumentView, with patch: DocumentView, at position: Int = 0, ignoring: StaticString? = nil
    ) {
        let ignored = ignoring.flatMap { patch.member($0, of: position) }.map { $0 - 1 }
        // Each byte and node comes from one of the two; a comma more may stand between what came from both.
        let text = target[0].wholeText.count + patch[position].wholeText.count + 1
        let nodes = target[0].extent + patch[position].extent
        refill(text: text, nodes: nodes) { output in
            var merge = Merge(target: target, patch: patch, ignored: ignored ?? -1, output: output)
            if patch[position].kind == .object {
                merge.mergeObject(target[0].kind == .object ? 0 : nil, position)
            } else {
                merge.output.copyValue(patch, position)
            }
            output = merge.output
        }
    }
}

extension Document {
    /// This document merged with a patch (RFC 7396).
    public func merged(with patch: Document, ignoring: StaticString? = nil) -> Document {
        let buffer = DocumentBuffer()
        withView { target in patch.withView { buffer.merge(target, with: $0, ignoring: ignoring) } }
        return buffer.document
    }
}

/// A merge under way: the result so far.
private struct Merge {
    let target: DocumentView
    let patch: DocumentView
    /// A name of the patch's top level; -1 for none.
    let ignored: Int
    var output: DocumentOutput

    /// Members of a patch object that a bit each can remember; a larger one is looked up again.
    private static let remembered = 64

    /// Writes the object that results from the patch object at `change` and the target's object at `object`, which may
    /// be absent.
    mutating func mergeObject(_ object: Int?, _ change: Int) {
        let container = output.beginObject()
        var used: UInt64 = 0
        var next = (name: change + 1, index: 0)
        if let object {
            let end = target.end(of: object)
            var name = object + 1
            while name < end {
                let value = name + 1
                if let (found, index) = find(name, in: change, from: next) {
                    if index < Self.remembered { used |= 1 << UInt64(index) }
                    next = (patch.end(of: found), index + 1)
                    put(name, patchedBy: found)
                } else {
                    output.copyMember(target, name)
                }
                name = target.end(of: value)
            }
        }
        let end = patch.end(of: change)
        var name = change + 1
        var index = 0
        while name < end {
            let value = name + 1
            let isUsed =
                if index < Self.remembered {
                    used & 1 << UInt64(index) != 0
                } else if let object {
                    target.member(namedLike: patch[name], in: patch, of: object) != nil
                } else {
                    false
                }
            if !isUsed && patch[value].kind != .null && name != ignored { putNew(name) }
            name = patch.end(of: value)
            index += 1
        }
        output.endObject(container)
    }

    /// Writes a member of the target as the patch's value at `change` leaves it.
    private mutating func put(_ name: Int, patchedBy change: Int) {
        switch patch[change].kind {
        case .null: return
        case .object:
            output.copyName(target, name)
            mergeObject(target[name + 1].kind == .object ? name + 1 : nil, change)
        default:
            output.copyName(target, name)
            output.copyValue(patch, change)
        }
    }

    /// Writes a member that only the patch has; nulls inside its objects remove nothing and are dropped.
    private mutating func putNew(_ name: Int) {
        guard patch[name + 1].kind == .object else { return output.copyMember(patch, name) }
        output.copyName(patch, name)
        mergeObject(nil, name + 1)
    }

    /// - Parameter next: the member behind the one found last, which is mostly the wanted one.
    private func find(_ name: Int, in change: Int, from next: (name: Int, index: Int)) -> (value: Int, index: Int)? {
        let wanted = target[name]
        let end = patch.end(of: change)
        if next.name < end, patch.hasSameText(patch[next.name], as: wanted, in: target) {
            return (next.name + 1, next.index)
        }
        var candidate = change + 1
        var index = 0
        while candidate < end {
            if patch.hasSameText(patch[candidate], as: wanted, in: target) { return (candidate + 1, index) }
            candidate = patch.end(of: candidate + 1)
            index += 1
        }
        return nil
    }
}
