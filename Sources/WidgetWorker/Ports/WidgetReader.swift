public import WidgetContract

/// Looks into a store beside the worker that writes it, changes nothing and stands in nobody's way. One thread uses it.
public protocol WidgetReader: AnyObject {
    /// The widget there, also a deleted one; `nil` where none ever was.
    func widget(at address: WidgetAddress) throws -> WidgetSnapshot?

    /// Widgets that are not deleted, in the order of account and slug.
    /// - Parameters:
    ///   - address: those behind it; `nil` for the first ones.
    ///   - limit: so many at most.
    func widgets(after address: WidgetAddress?, limit: Int) throws -> [WidgetSnapshot]
}

/// A widget as a store holds it, and what of it is still to be told.
public struct WidgetSnapshot: Equatable, Sendable {
    /// A fan-out that waits for the end of its throttle window.
    public struct Pending: Equatable, Sendable {
        /// When the window ends, milliseconds since 1970.
        public let dueAt: Int64
        /// The members that changed since the last push.
        public let changed: ChangedMembers
        /// How many updates are gathered.
        public let updates: Int

        public init(dueAt: Int64, changed: ChangedMembers, updates: Int) {
            self.dueAt = dueAt
            self.changed = changed
            self.updates = updates
        }
    }

    public let widget: StoredWidget
    public let pending: Pending?

    public init(widget: StoredWidget, pending: Pending?) {
        self.widget = widget
        self.pending = pending
    }
}
