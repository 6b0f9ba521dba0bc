/// What reaches the worker's mailbox.
public enum WorkerEvent: Sendable {
    /// Deliveries of one connection, in the order of their tags.
    case deliveries([Delivery])
    /// The broker confirmed that it consumes for us, on the connection of this generation.
    case sourceReady(generation: UInt64)
    /// Nothing is consumed until the next `sourceReady`; the reason is for people.
    case sourceLost(reason: String)
    /// The connection was closed after all that it had handed over was acknowledged: none of that comes back.
    case sourceClosedInOrder
    /// No further delivery comes, as asked for by `cancel`.
    case sourceCancelled
    case published(Confirmations)
    case publisherReady
    /// Nothing is confirmed until the next `publisherReady`; the reason is for people.
    case publisherLost(reason: String)
    /// The broker asks publishers to wait (memory or disk alarm), or no longer does.
    case publisherBlocked(Bool)
    /// The broker refuses us for a reason that waiting does not mend (wrong password, inequivalent arguments): the
    /// worker stays, not ready for that reason, while the adapter tries again, slowly.
    case refused(reason: String)
    /// Finish what is in hand and end.
    case drain
}
