public import Testing
public import WidgetContract
import WidgetJSON
import WidgetJSONParsing
public import WidgetTime

/// A row of a table of contract cases: one command, and what has to be wrong with it.
public struct Vector: Sendable, CustomTestStringConvertible {
    public static let clock = "2026-11-30T12:00:00Z"

    public let testDescription: String
    let kind: CommandKind
    let body: String
    let stored: String?
    let clock: String
    let slug: String
    let account: String
    let faults: [String]

    private init(
        _ name: String, _ kind: CommandKind, _ body: String, stored: String? = nil, clock: String = clock,
        slug: String = "pages", account: String = "acme", faults: [String]
    ) {
        testDescription = name
        self.kind = kind
        self.body = body
        self.stored = stored
        self.clock = clock
        self.slug = slug
        self.account = account
        self.faults = faults
    }

    /// A create with this content.
    /// - Parameter faults: every violation as `rule location`, in order; the location below `/content`.
    public static func content(
        _ name: String, _ content: String, clock: String = clock, _ faults: String...
    ) -> Vector {
        Vector(
            name, .create, #"{"name":"n","content":\#(content)}"#, clock: clock, faults: faults.map(Self.inContent))
    }

    /// A create with a content that has the template `value` and these members.
    public static func members(
        _ name: String, _ members: String, clock: String = clock, _ faults: String...
    ) -> Vector {
        Vector(
            name, .create, #"{"name":"n","content":{"template":"value",\#(members)}}"#, clock: clock,
            faults: faults.map(Self.inContent))
    }

    /// A create with this body; faults with their whole location.
    public static func create(
        _ name: String, _ body: String, over stored: String? = nil, slug: String = "pages", account: String = "acme",
        _ faults: String...
    ) -> Vector {
        Vector(name, .create, body, stored: stored, slug: slug, account: account, faults: faults)
    }

    /// A patch of a stored widget; faults with their whole location, and ` stored` behind those that are.
    public static func patch(
        _ name: String, _ body: String, on stored: String, clock: String = clock, slug: String = "pages",
        account: String = "acme", _ faults: String...
    ) -> Vector {
        Vector(name, .patch, body, stored: stored, clock: clock, slug: slug, account: account, faults: faults)
    }

    /// A deletion.
    public static func delete(
        _ name: String, _ body: String, slug: String = "pages", account: String = "acme", _ faults: String...
    ) -> Vector {
        Vector(
            name, .delete, body, stored: #"{"name":"n","content":{"template":"value"}}"#, slug: slug,
            account: account, faults: faults)
    }

    private static func inContent(_ fault: String) -> String {
        let parts = fault.split(separator: " ", maxSplits: 1)
        return "\(parts[0]) /content\(parts.count > 1 ? parts[1] : "")"
    }

    /// Records an issue when the decision is another one.
    public func check(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let (decision, _) = try Trial.decide(
            kind, body, on: stored.map { try Trial.widget($0) }, clock: clock, slug: slug, account: account)
        switch decision {
        case .accepted:
            #expect(faults == [], "accepted", sourceLocation: sourceLocation)
        case .rejected(let rejection):
            #expect(rejection.faults == faults, "\(rejection.detail)", sourceLocation: sourceLocation)
            let isContentAlone = rejection.violations.allSatisfy { $0.location.tokens.first == "content" }
            #expect(
                rejection.code == (isContentAlone ? .contentInvalid : .widgetInvalid), sourceLocation: sourceLocation)
        }
    }
}

extension Rejection {
    /// Every violation as `rule location`, and ` stored` behind those that are.
    public var faults: [String] {
        violations.map { "\($0.rule.rawValue) \($0.location)\($0.isStored ? " stored" : "")" }
    }
}

/// Decides single commands.
public enum Trial {
    /// A widget at revision 1 with this document.
    public static func widget(_ document: String, sequence: Int64? = nil) throws -> Widget {
        Widget(
            address: WidgetAddress(account: "acme", slug: "pages"), revision: 1, sequence: sequence, createdAt: 1_000,
            updatedAt: 1_000, document: try Document(json: document))
    }

    public static func moment(_ text: String) -> Timestamp {
        DateTimeText.read(Array(text.utf8)[...]) ?? Timestamp(seconds: 0)
    }

    /// What becomes of a command, and the widget after it.
    public static func decide(
        _ kind: CommandKind, _ body: String, on current: Widget? = nil, clock: String = Vector.clock,
        slug: String = "pages", account: String = "acme", sequence: Int64? = nil, isFull: Bool = false
    ) throws -> (Decision, Widget?) {
        var decider = Decider()
        var widget = current
        let address = WidgetAddress(account: account, slug: slug)
        let decision = decider.decide(
            current: &widget, command: Command(kind: kind, address: address, sequence: sequence),
            body: try Document(json: body), now: moment(clock), accountIsFull: { isFull })
        return (decision, widget)
    }

    /// The accepted widget; a rejection is an issue.
    public static func accept(
        _ kind: CommandKind, _ body: String, on current: Widget? = nil, clock: String = Vector.clock,
        sequence: Int64? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> AcceptedWidget {
        let (decision, widget) = try decide(kind, body, on: current, clock: clock, sequence: sequence)
        switch decision {
        case .accepted(let accepted):
            return AcceptedWidget(
                accepted: accepted, widget: try #require(widget, sourceLocation: sourceLocation))
        case .rejected(let rejection):
            Issue.record("\(rejection.code): \(rejection.faults)", sourceLocation: sourceLocation)
            throw Unexpected()
        }
    }

    /// The rejection; an accepted command is an issue.
    public static func reject(
        _ kind: CommandKind, _ body: String, on current: Widget? = nil, clock: String = Vector.clock,
        slug: String = "pages", account: String = "acme", sequence: Int64? = nil, isFull: Bool = false,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Rejection {
        let (decision, widget) = try decide(
            kind, body, on: current, clock: clock, slug: slug, account: account, sequence: sequence, isFull: isFull)
        switch decision {
        case .rejected(let rejection): return rejection
        case .accepted:
            Issue.record("it was accepted: \(widget?.document?.json ?? "")", sourceLocation: sourceLocation)
            throw Unexpected()
        }
    }

    public struct Unexpected: Error {}
}

/// An accepted command and the widget after it.
@dynamicMemberLookup
public struct AcceptedWidget {
    public let accepted: Accepted
    public let widget: Widget

    public subscript<Value>(dynamicMember member: KeyPath<Accepted, Value>) -> Value { accepted[keyPath: member] }

    /// The stored document's text; `nil` for a deletion.
    public var json: String? { widget.document?.json }

    /// The changed members' pointers.
    public var changes: [String] { accepted.changed.locations.map(\.description) }
}

extension String {
    /// So many times, one after the other.
    public static func * (text: String, count: Int) -> String { String(repeating: text, count: count) }

    /// The JSON texts as an array.
    public static func array(_ texts: [String]) -> String { "[\(texts.joined(separator: ","))]" }

    /// The JSON texts of members as an object.
    public static func object(_ members: [String]) -> String { "{\(members.joined(separator: ","))}" }
}
