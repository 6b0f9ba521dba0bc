/// Queues of another number of shards: where they are, updates would wait in a queue that nobody consumes, be handed out
/// twice, or change places while others of their widget wait.
extension Connection {
    /// What is there that must not be beside this topology: wanted, found, what to do. `nil` when nothing is.
    ///
    /// AMQP knows no way to ask for a queue that may not be there but a declaration that ends the channel and stands in
    /// the broker's log as an error (AMQP 0-9-1 section 1.7.2.1, `passive`).
    func otherShards(than topology: Topology) throws(AMQPError) -> AMQPError? {
        let (one, shards) = (topology.updatesQueue, topology.shards)
        if shards == 0 {
            let first = topology.shardQueue(0)
            return try find(first) == nil
                ? nil
                : Self.conflict(
                    "the one queue \(one)", "queue \(first), which gets a copy of each update",
                    "run with --shards; or have workers with --shards empty the shards, stop them, and delete the shards"
                        + " and exchange \(topology.shardsExchange)")
        }
        if try find(one) != nil {
            return Self.conflict(
                "\(shards) shards in place of queue \(one)", "that queue, which gets a copy of each update",
                "stop the producers, have a worker without --shards empty it, stop that worker, and delete the queue")
        }
        let next = topology.shardQueue(shards)
        if try find(next) != nil {
            return Self.conflict(
                "\(shards) shards", "queue \(next) as well, which nobody would consume",
                "run with --shards \(shards + 1) or more; or stop the producers, have the workers that ran so far empty"
                    + " all shards, stop them, and delete \(next) and those behind it")
        }
        return topology.mode == .create ? try shardsInUse(topology) : nil
    }

    /// More shards move widgets: no update may wait then, and no worker have one in hand.
    private func shardsInUse(_ topology: Topology) throws(AMQPError) -> AMQPError? {
        guard try hasExchange(topology.shardsExchange) else { return nil }
        var inUse: QueueStatus?
        for (number, queue) in topology.updatesQueues.enumerated() {
            if let status = try find(queue) {
                if status.messages + status.consumers > 0 { inUse = inUse ?? status }
                continue
            }
            // There were fewer where the last one is missing, too; else this one was deleted, and is declared again.
            let last = topology.shardQueue(topology.shards - 1)
            let wereFewer = queue == last ? true : try find(last) == nil
            guard wereFewer, let inUse else { return nil }
            return Self.conflict(
                "\(topology.shards) shards",
                "\(number) in use: \(inUse.name) has \(inUse.messages) messages and \(inUse.consumers) consumers",
                "run with --shards \(number); or stop the producers, have the workers empty all shards, and stop them")
        }
        return nil
    }

    private func find(_ queue: String) throws(AMQPError) -> QueueStatus? {
        do {
            return try declareQueue(queue, passive: true)
        } catch {
            try reopen(after: error)
            return nil
        }
    }

    private func hasExchange(_ name: String) throws(AMQPError) -> Bool {
        do {
            // Of a passive declaration the type is not looked at.
            try declareExchange(name, type: "topic", passive: true)
            return true
        } catch {
            try reopen(after: error)
            return false
        }
    }

    private func reopen(after error: AMQPError) throws(AMQPError) {
        guard error.code == 404 else { throw error }
        try reopenChannel()
    }

    private static func conflict(_ wanted: String, _ found: String, _ advice: String) -> AMQPError {
        AMQPError("wanted \(wanted), found \(found): \(advice)", next: .giveUp)
    }
}
