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

    /// The members of the widget by their place in the rule table; none for `content`.
    private static let widgetMembers = Contract.object(.widget).members.map { widgetMember($0.name) }

    /// The pointers of the members in it.
    public var locations: [JSONPointer] {
        Self.pointers.enumerated().filter { rawValue & 1 << UInt64($0.offset) != 0 }.map(\.element)
    }

    /// What differs between two documents of a widget, values compared as values.
    /// - Parameter old: `{}` when there was none.
    init(from old: Document, to new: Document) {
        self = old.withView { old in
            new.withView { new in
                ChangedMembers(from: old, to: new, namedIn: new).union(ChangedMembers(from: old, to: new, namedIn: old))
            }
        }
    }

    /// What a patch changed: the same among the members that it names.
    /// - Parameter found: what the validator saw of the new document.
    init(from old: DocumentView, to new: DocumentView, namedIn patch: DocumentView, _ found: Validator.Findings) {
        self = []
        insertDifferent(old, new, namedIn: patch) { _, position in found.content(position) }
    }

    private init(from old: DocumentView, to new: DocumentView, namedIn naming: DocumentView) {
        self = []
        let content = new.member("content", of: 0)
        var place = 0
        insertDifferent(old, new, namedIn: naming) { name, _ in
            content.flatMap { new.member(namedLike: naming[name], in: naming, of: $0, from: &place) }
        }
    }

    /// Compares the members that the object `naming` has.
    /// - Parameter newContent: where the new content has the member of a name; also given its place in the rule table.
    @inline(__always)
    private mutating func insertDifferent(
        _ old: DocumentView, _ new: DocumentView, namedIn naming: DocumentView, newContent: (Int, Int) -> Int?
    ) {
        let index = Contract.table(.widget).index
        let end = naming.end(of: 0)
        var name = 1
        while name < end {
            if let position = index.position(of: naming[name], in: naming) {
                let member = Self.widgetMembers[position]
                if member.isEmpty {
                    insertDifferentContent(old, new, namedIn: naming, name + 1, newContent)
                } else {
                    let before = old.member(namedLike: naming[name], in: naming, of: 0)
                    let after = new.member(namedLike: naming[name], in: naming, of: 0)
                    if Self.differs(old, before, new, after) { insert(member) }
                }
            }
            name = naming.end(of: name + 1)
        }
    }

    /// Compares the content's members that the object at `content` has.
    @inline(__always)
    private mutating func insertDifferentContent(
        _ old: DocumentView, _ new: DocumentView, namedIn naming: DocumentView, _ content: Int,
        _ newContent: (Int, Int) -> Int?
    ) {
        guard naming[content].kind == .object else { return }
        let index = Contract.table(.content).index
        let oldContent = old.member("content", of: 0)
        let end = naming.end(of: content)
        var name = content + 1
        var oldPlace = 0
        while name < end {
            if let position = index.position(of: naming[name], in: naming) {
                let member = Self.contentMember(position)
                let before = oldContent.flatMap {
                    old.member(namedLike: naming[name], in: naming, of: $0, from: &oldPlace)
                }
                let after = newContent(name, position)
                if !contains(member) && Self.differs(old, before, new, after) { insert(member) }
            }
            name = naming.end(of: name + 1)
        }
    }

    private static func differs(_ old: DocumentView, _ before: Int?, _ new: DocumentView, _ after: Int?) -> Bool {
        guard let before, let after else { return before != after }
        return !old.value(at: before, equals: new, at: after)
    }
}
