public import WidgetJSON

/// One broken rule.
public struct Violation: Equatable, Sendable {
    /// From the message body's root.
    public let location: JSONPointer
    public let rule: RuleWord
    /// What was wanted and what was got, for people; does not repeat the member's name.
    public var message: String
    /// JSON text of the value that broke it; `nil` when it is long, not a scalar, or secret.
    public let value: [UInt8]?
    /// It comes from stored members that the patch at hand did not touch.
    public var isStored = false

    /// Other members that take part in the rule, such as the template that asks for a missing member.
    let involved: [JSONPointer]
    /// Orders violations as the document stands.
    let position: Int

    init(
        _ location: JSONPointer, _ rule: RuleWord, _ message: String, value: [UInt8]? = nil,
        involved: [JSONPointer] = [], position: Int = 0
    ) {
        self.location = location
        self.rule = rule
        self.message = message
        self.value = value
        self.involved = involved
        self.position = position
    }
}
