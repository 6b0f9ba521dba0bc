/// Where messages come from. It owns its connection and thread, connects again by itself, and reports into the
/// worker's mailbox; every method only leaves a request and returns at once, from any thread.
public protocol DeliverySource: Sendable {
    /// Connects, declares the topology and consumes. Deliveries and changes of state arrive in `events`.
    func start(reportingTo events: Mailbox<WorkerEvent>)

    /// Acknowledges every delivery up to and including `position`. A position of an older connection is dropped:
    /// the broker has taken those deliveries back.
    func acknowledge(upTo position: DeliveryPosition)

    /// Gives up the connection and makes another: what is unacknowledged goes back to the queues.
    func reconnect()

    /// Hands over nothing more; `.sourceCancelled` follows what was handed over before.
    func cancel()

    /// Sends what was asked for, closes the connection in order and ends the thread; returns when it has ended.
    /// Deliveries still unacknowledged go back to the queue.
    func close()
}
