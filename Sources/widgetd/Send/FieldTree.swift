import WidgetJSON

/// A JSON value put together from fields.
indirect enum FieldTree {
    case value([UInt8])
    case object([(name: String, tree: FieldTree)])
    case array([FieldTree])

    /// - Throws: `ProgramError` when the field, a part of it or the whole of it is there already, or an element's
    ///   predecessor is not.
    mutating func set(_ steps: ArraySlice<Field.Step>, _ value: [UInt8], name: String) throws {
        guard let step = steps.first else { throw Self.twice(name) }
        switch (self, step) {
        case (.object(var members), .member(let member)):
            let place = members.firstIndex { $0.name == member }
            if let place, steps.count > 1 {
                try members[place].tree.set(steps.dropFirst(), value, name: name)
            } else if place == nil {
                members.append((member, try Self.new(steps.dropFirst(), value, name: name)))
            } else {
                throw Self.twice(name)
            }
            self = .object(members)
        case (.array(var elements), .element(let index)):
            if index < elements.count {
                guard steps.count > 1 else { throw Self.twice(name) }
                try elements[index].set(steps.dropFirst(), value, name: name)
            } else if index == elements.count {
                elements.append(try Self.new(steps.dropFirst(), value, name: name))
            } else {
                // A merge patch replaces arrays whole (RFC 7396 section 1): there is no row to leave as it is.
                throw ProgramError.usage(
                    "\(name.printable) comes before element \(elements.count) is set; the elements that are set are all there"
                        + " are then, from 0 on")
            }
            self = .array(elements)
        default: throw Self.twice(name)
        }
    }

    private static func new(_ steps: ArraySlice<Field.Step>, _ value: [UInt8], name: String) throws -> FieldTree {
        guard let step = steps.first else { return .value(value) }
        var tree: FieldTree = if case .member = step { .object([]) } else { .array([]) }
        try tree.set(steps, value, name: name)
        return tree
    }

    private static func twice(_ name: String) -> ProgramError {
        .usage("\(name.printable) is set twice, or together with what holds it")
    }

    func write(to out: inout [UInt8]) {
        switch self {
        case .value(let text): out += text
        case .object(let members):
            Self.write(members, between: ("{", "}"), to: &out) { member, out in
                out += member.name.jsonText + [UInt8(ascii: ":")]
                member.tree.write(to: &out)
            }
        case .array(let elements):
            Self.write(elements, between: ("[", "]"), to: &out) { $0.write(to: &$1) }
        }
    }

    private static func write<Part>(
        _ parts: [Part], between brackets: (String, String), to out: inout [UInt8],
        _ write: (Part, inout [UInt8]) -> Void
    ) {
        out += Array(brackets.0.utf8)
        for (index, part) in parts.enumerated() {
            if index > 0 { out.append(UInt8(ascii: ",")) }
            write(part, &out)
        }
        out += Array(brackets.1.utf8)
    }
}
