public import WidgetJSON
public import WidgetTime

/// A widget as far as its picture depends on it.
public struct PresentableWidget: Sendable {
    /// `nil` when there is none.
    let content: Cursor?
    let name: String
    let updatedAt: Timestamp?
    /// Seconds after `updatedAt`.
    let staleAfter: Int?

    /// - Parameters:
    ///   - content: an object that the contract accepts. What it would refuse is not drawn, or drawn as if absent.
    ///   - updatedAt: of the last accepted message, heartbeats too; without it the widget is never stale.
    ///   - staleAfter: seconds.
    public init(content: Document, name: String, updatedAt: Timestamp? = nil, staleAfter: Int? = nil) {
        self.content = Cursor(content, 0)
        self.name = name
        self.updatedAt = updatedAt
        self.staleAfter = staleAfter
    }

    /// From an object with the members `name`, `content` and `stale_after`: a stored widget, the body of a fan-out or
    /// of a create.
    public init(widget document: Document, updatedAt: Timestamp? = nil) {
        let widget = Cursor(document, 0)
        content = widget["content"]
        name = widget["name"]?.string ?? ""
        self.updatedAt = updatedAt
        staleAfter = widget["stale_after"]?.double.flatMap { Int(exactly: $0) }
    }
}
