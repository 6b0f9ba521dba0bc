/// A JSON value whose members keep the order in which they were said.
enum SchemaValue: Equatable, Sendable {
    case null
    case boolean(Bool)
    case number(Double)
    case string(String)
    case array([SchemaValue])
    case object([Member])

    struct Member: Equatable, Sendable {
        let name: String
        var value: SchemaValue
    }

    /// The member of that name; setting `nil` leaves the object as it is.
    subscript(name: String) -> SchemaValue? {
        get {
            guard case .object(let members) = self else { return nil }
            return members.first { $0.name == name }?.value
        }
        set {
            guard case .object(var members) = self, let newValue else { return }
            if let index = members.firstIndex(where: { $0.name == name }) {
                members[index].value = newValue
            } else {
                members.append(Member(name: name, value: newValue))
            }
            self = .object(members)
        }
    }

    /// No member, no element.
    var isEmpty: Bool { self == .object([]) || self == .array([]) }

    /// This object with the members of another behind its own.
    func adding(_ other: SchemaValue) -> SchemaValue {
        guard case .object(let members) = other else { return self }
        return members.reduce(into: self) { $0[$1.name] = $1.value }
    }

    /// This object without that member.
    func without(_ name: String) -> SchemaValue {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { $0.name != name })
    }

    /// The names of an object's members.
    var names: [String] {
        guard case .object(let members) = self else { return [] }
        return members.map(\.name)
    }

    /// The schema of one string alone.
    static func constant(_ text: String) -> SchemaValue { ["const": .string(text)] }

    static func strings(_ texts: some Sequence<String>) -> SchemaValue { .array(texts.map(SchemaValue.string)) }

    /// An object with members whose names are made up on the way.
    static func members(_ members: [(String, SchemaValue)]) -> SchemaValue {
        .object(members.map { Member(name: $0.0, value: $0.1) })
    }
}

extension SchemaValue: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringInterpolation,
    ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral
{
    init(dictionaryLiteral members: (String, SchemaValue)...) { self = .members(members) }
    init(arrayLiteral elements: SchemaValue...) { self = .array(elements) }
    init(stringLiteral text: String) { self = .string(text) }
    init(integerLiteral number: Int) { self = .integer(number) }
    init(booleanLiteral flag: Bool) { self = .boolean(flag) }

    static func integer(_ number: Int) -> SchemaValue { .number(Double(number)) }
}
