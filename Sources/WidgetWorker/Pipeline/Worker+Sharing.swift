import WidgetTelemetry

/// What a worker has to do with others that write to its store.
extension Worker {
    /// Takes over the queues of deliveries that are the first of their connection: what their consumers before left is
    /// published before anything newer, and recognised when it comes back.
    /// - Returns: false when the drain's deadline is over before the store has it.
    func takeOver(_ queues: Set<Int>) throws -> Bool {
        let queues = sharing.notTakenOver(queues)
        // What this worker itself has finished on an earlier connection is nobody's leftover.
        if !queues.isEmpty { try storeSettled() }
        for queue in queues {
            guard let leftovers = try withRetries({ try store.takeOver(queue: queue) }) else { return false }
            replay(leftovers.outcomes)
            decider.begin(queue: queue, remembered: leftovers.deliveries)
            sharing.tookOver(queue)
        }
        return true
    }

    func takeOverAbandoned() throws {
        guard sharing.isLookDue(at: clock.monotonicMilliseconds()), !drain.isUnderWay else { return }
        guard let abandoned = try withRetries({ try store.takeOverAbandoned(at: steadyNow) }) else { return }
        replay(abandoned.outcomes)
        decider.adopt(abandoned.pushes, steadyNow: steadyNow)
        sharing.looked(at: clock.monotonicMilliseconds())
    }

    func replay(_ batches: [NumberedOutcomes]) {
        for batch in batches where !outbox.holds(batch.number) { outbox.replay(batch, by: publisher) }
    }

    /// Another worker has taken queues over, so the broker has taken their deliveries back from us, although we have
    /// not heard of it yet.
    func deliveriesAreLost(of queues: [Int]) {
        log.warning("another worker has taken over what this one consumes", ["queues": queues.count])
        backlog.disconnected()
        source.reconnect()
    }
}
