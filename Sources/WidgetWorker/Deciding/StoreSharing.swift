/// How far other workers change what a decider has cached.
public enum StoreSharing: Sendable {
    /// Not at all.
    case none
    /// They share the store, and each widget is one worker's as long as its queue is: what is cached stays true until
    /// the connection changes, except when two hold a queue for theirs.
    case queues
    /// They take messages of the same widgets: nothing that is cached lasts longer than a batch.
    case widgets
}
