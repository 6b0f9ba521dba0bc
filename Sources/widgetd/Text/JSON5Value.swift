import WidgetJSON

/// A value of JSON5 text with the place of all its parts.
struct JSON5Value: Sendable {
    enum Kind: Sendable {
        case null
        case boolean(Bool)
        /// As it is written.
        case number(String)
        case string(String)
        case array([JSON5Value])
        case object([JSON5Member])
    }

    let kind: Kind
    /// The bytes that it takes.
    let range: Range<Int>

    /// Where a pointer leads: the value's bytes, or, for a member or element that is not there, the bytes of what
    /// should hold it.
    /// - Returns: the bytes, and whether the pointer led all the way.
    func range(of pointer: JSONPointer) -> (range: Range<Int>, isThere: Bool) {
        var value = self
        for token in pointer.tokens {
            switch value.kind {
            case .object(let members):
                guard let member = members.last(where: { $0.name.utf8.elementsEqual(token.utf8) }) else {
                    return (value.brace, false)
                }
                value = member.value
            case .array(let elements):
                guard let index = Int(token), elements.indices.contains(index) else { return (value.brace, false) }
                value = elements[index]
            default: return (value.range, false)
            }
        }
        return (value.range, true)
    }

    /// The name of the member that a pointer leads to; `nil` where it leads to none.
    func nameRange(of pointer: JSONPointer) -> Range<Int>? {
        var value = self
        var name: Range<Int>?
        for token in pointer.tokens {
            name = nil
            switch value.kind {
            case .object(let members):
                guard let member = members.last(where: { $0.name.utf8.elementsEqual(token.utf8) }) else { return nil }
                name = member.nameRange
                value = member.value
            case .array(let elements):
                guard let index = Int(token), elements.indices.contains(index) else { return nil }
                value = elements[index]
            default: return nil
            }
        }
        return name
    }

    func member(_ name: String) -> JSON5Member? {
        guard case .object(let members) = kind else { return nil }
        return members.first { $0.name == name }
    }

    /// What opens it.
    private var brace: Range<Int> { range.lowerBound..<min(range.lowerBound + 1, range.upperBound) }
}

struct JSON5Member: Sendable {
    let name: String
    let nameRange: Range<Int>
    let value: JSON5Value
}

/// Why a text is no JSON5, and where.
struct JSON5Fault: Error {
    let message: String
    let offset: Int
}
