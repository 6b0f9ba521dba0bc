/// A command of the program. Its help, its completion and its part of the manual are made from what it says here.
protocol Command: Sendable {
    static var name: String { get }
    /// One line for the list of commands.
    static var summary: String { get }
    /// What stands behind the command in the help.
    static var operands: String { get }
    /// What an operand is, for completion.
    static var operandKind: OptionKind { get }
    /// Without the common ones.
    static var options: [Option] { get }
    static var examples: [String] { get }
    /// The configuration is what it looks at: faults of the file are found by it, and do not keep it from its work.
    static var judgesConfiguration: Bool { get }

    /// Does the work.
    /// - Throws: `ProgramError`.
    static func run(_ values: OptionValues) throws -> ProgramError.Status
}

extension Command {
    static var operands: String { "" }
    static var operandKind: OptionKind { .text }
    static var options: [Option] { [] }
    static var judgesConfiguration: Bool { false }
    static var allOptions: [Option] { options + Option.common }
}
