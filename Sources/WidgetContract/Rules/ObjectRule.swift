/// The kinds of objects that the contract knows.
public enum ObjectName: Int, CaseIterable, Sendable {
    case widget, content, statRow, device, sortKey, period, flow, flowNode, timer, action
}

/// A member of an object.
public struct MemberRule: Sendable {
    public let name: String
    public let rule: ValueRule
    public let isRequired: Bool
    /// It stands beside a URL of `ValueRule.requestSchemes` alone.
    public let isForRequests: Bool

    init(_ name: String, _ rule: ValueRule, required: Bool = false, forRequests: Bool = false) {
        self.name = name
        self.rule = rule
        isRequired = required
        isForRequests = forRequests
    }
}

/// The members of a kind of object; any other is an unknown field.
public final class ObjectRule: Sendable {
    public let members: [MemberRule]
    /// What the walk over a document needs of it.
    let table: ObjectTable

    init(_ members: [MemberRule]) {
        self.members = members
        table = ObjectTable(members)
    }

    /// The position of a member in `members`.
    public func position(of name: String) -> Int? { members.firstIndex { $0.name == name } }
}

/// The kinds of arrays that the contract knows.
public enum ArrayName: Int, CaseIterable, Sendable {
    case statRows, points, devices, deviceSort, periods, flowInputs
}

/// An array: how many elements of what.
public final class ArrayRule: Sendable {
    public let element: ValueRule
    public let fewest: Int
    public let most: Int
    /// The one template that judges `fewest`; elsewhere an empty array is legal. `nil`: it is always judged.
    public let fewestOnlyOn: Template?
    /// A date member of the elements that must rise strictly.
    public let rising: String?
    /// A member of the elements that may not repeat.
    public let distinct: String?

    init(
        of element: ValueRule, fewest: Int = 0, most: Int, fewestOnlyOn: Template? = nil, rising: String? = nil,
        distinct: String? = nil
    ) {
        self.element = element
        self.fewest = fewest
        self.most = most
        self.fewestOnlyOn = fewestOnlyOn
        self.rising = rising
        self.distinct = distinct
    }
}
