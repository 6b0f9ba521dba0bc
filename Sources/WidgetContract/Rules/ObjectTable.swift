/// An object rule as the walk over a document reads it: plain memory that stays as long as the process, so that nobody
/// counts references to it, and that nothing changes, so that any thread may read.
@safe struct ObjectTable: @unchecked Sendable {
    /// Finds a member by its name.
    let index: NameIndex
    /// A bit for each required member, by its position.
    let required: UInt64
    private let rules: UnsafePointer<ValueRule>

    init(_ members: [MemberRule]) {
        index = NameIndex(members.map(\.name))
        required = members.enumerated().reduce(0) { $1.element.isRequired ? $0 | 1 << UInt64($1.offset) : $0 }
        unsafe rules = KeptMemory.copy(of: members.map(\.rule))
    }

    /// The rule of the member at a position that `index` gave.
    subscript(position: Int) -> ValueRule { unsafe rules[position] }
}

/// Memory of tables that are never given up.
enum KeptMemory {
    static func copy<Element>(of elements: [Element]) -> UnsafePointer<Element> {
        let memory = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
        _ = unsafe memory.initialize(from: elements)
        return unsafe UnsafePointer(memory.baseAddress!)
    }
}
