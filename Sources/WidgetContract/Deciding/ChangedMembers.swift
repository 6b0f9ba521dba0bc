public import WidgetJSON

/// The members of a widget and of its content whose value changed: a bit for each.
public struct ChangedMembers: OptionSet, Hashable, Sendable {
    public let rawValue: UInt64

    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// The pointers in the order of the bits: the members of the widget, `content` replaced by its own members.
    public static let pointers: [JSONPointer] =
        Contract.object(.widget).members.filter { $0.name != "content" }.map { .root.appending($0.name) }
        + Contract.object(.content).members.map { .root.appending("content").appending($0.name) }

    /// Name, throttle and staleness come before the content's members.
    private static let firstContentBit = Contract.object(.widget).members.count - 1

    static func widgetMember(_ name: String) -> ChangedMembers {
        let bit = pointers.firstIndex(of: .root.appending(name))
        return ChangedMembers(rawValue: bit.map { 1 << UInt64($0) } ?? 0)
    }

    static func contentMember(_ position: Int) -> ChangedMembers {
        ChangedMembers(rawValue: 1 << UInt64(firstContentBit + position))
    }

    private static let outsideContent: [(name: String, bit: ChangedMembers)] =
        Contract.object(.widget).members.filter { $0.name != "content" }.map { ($0.name, widgetMember($0.name)) }

    /// The pointers of the members in it.
    public var locations: [JSONPointer] {
        Self.pointers.enumerated().filter { rawValue & 1 << UInt64($0.offset) != 0 }.map(\.element)
    }

    /// What differs between two documents of a widget, values compared as values.
    /// - Parameters:
    ///   - old: `{}` when there was none.
    ///   - patch: only members named in it can differ, and nothing else is looked at; `nil` looks at all.
    init(from old: Document, to new: Document, patch: Document? = nil) {
        self = []
        for (name, bit) in Self.outsideContent {
            if let patch, patch.member(name) == nil { continue }
            if Self.differs(old, old.member(name), new, new.member(name)) { insert(bit) }
        }
        let oldContent = old.member("content")
        let newContent = new.member("content")
        if let patch {
            if let content = patch.member("content") {
                insertNamed(by: patch, content, old, oldContent, new, newContent)
            }
        } else {
            if let newContent { insertNamed(by: new, newContent, old, oldContent, new, newContent) }
            if let oldContent { insertNamed(by: old, oldContent, old, oldContent, new, newContent) }
        }
    }

    /// Compares the content's members that the object at `naming` has.
    private mutating func insertNamed(
        by document: Document, _ naming: Int, _ old: Document, _ oldContent: Int?, _ new: Document, _ newContent: Int?
    ) {
        guard document[naming].kind == .object else { return }
        let index = Contract.object(.content).index
        let end = naming + document[naming].extent
        var name = naming + 1
        while name < end {
            if let position = index.position(of: name, in: document) {
                let bit = Self.contentMember(position)
                let before = oldContent.flatMap { old.memberNamed(like: name, in: document, of: $0) }
                let after = newContent.flatMap { new.memberNamed(like: name, in: document, of: $0) }
                if !contains(bit) && Self.differs(old, before, new, after) { insert(bit) }
            }
            name += 1 + document[name + 1].extent
        }
    }

    private static func differs(_ old: Document, _ before: Int?, _ new: Document, _ after: Int?) -> Bool {
        guard let before, let after else { return before != after }
        return !old.value(at: before, equals: new, at: after)
    }
}
