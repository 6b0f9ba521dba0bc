public import WidgetContract

/// A fan-out that waits for the end of its widget's throttle window, and what it has to tell beside the newest state.
public struct PendingPush: Equatable, Sendable {
    public var address: WidgetAddress
    /// When the window ends, in milliseconds of the worker's steady clock since 1970.
    public var dueAt: Int64
    /// The window's length in milliseconds: the push never waits longer, wherever the clock has gone meanwhile.
    public var window: Int64
    /// The members that changed since the last push.
    public var changed: ChangedMembers
    /// How many updates are gathered.
    public var updates: Int
    /// `min_app_version` of the newest content.
    public var minAppVersion: String?
    /// W3C trace context of the newest update.
    public var traceparent: String?
    public var tracestate: String?

    public init(
        address: WidgetAddress, dueAt: Int64, window: Int64, changed: ChangedMembers, updates: Int,
        minAppVersion: String? = nil, traceparent: String? = nil, tracestate: String? = nil
    ) {
        self.address = address
        self.dueAt = dueAt
        self.window = window
        self.changed = changed
        self.updates = updates
        self.minAppVersion = minAppVersion
        self.traceparent = traceparent
        self.tracestate = tracestate
    }
}
