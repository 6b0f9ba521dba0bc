import Glibc
import WidgetAMQP
import WidgetWorker

/// A broker with what a measurement needs in it: feeds queues, moves their messages by the relay or by `widgetd`.
struct WorkerBench {
    struct Run {
        /// Messages a second, and microseconds of CPU a message, without start and end.
        var figures: (rate: Double, cpu: Double)
        /// From the start of the process to the first outcome.
        var milliseconds: Double
        var residentKilobytes: Int
    }

    private static let patience = Duration.seconds(300)
    private static let queues = ["widgets.updates", "widgets.fanout", "widgets.rejections"]
    private static let (relayIn, relayOut, relayExchange) = ("bench.in", "bench.out", "bench.direct")
    /// Of the widget that latencies are measured with.
    private static let key = "default.rollout-000000"

    private let url: String
    private let client: AMQPClient
    private let yardstick: Relay

    init(url: String) throws {
        self.url = url
        var address = try AMQPAddress(url)
        // The connection is looked after only between measurements.
        address.heartbeat = 0
        client = try AMQPClient(address)
        yardstick = Relay(address: address)
    }

    /// Updates in the mix, each with its routing key.
    func messages(_ load: Load, count: Int, isPersistent: Bool = true) -> [AMQPMessage] {
        let mix = MessageMix(widgets: load.widgets, hot: load.hot ?? load.widgets, wrong: 15)
        var random = SplitMix(seed: UInt64(getpid()))
        return (0..<count).map { index in
            let update = mix.message(load.widgets + index)
            var message = AMQPMessage(
                exchange: update.exchange, routingKey: update.routingKey, body: pad(update.body, by: load.padding))
            message.contentType = update.contentType
            message.isPersistent = isPersistent
            if load.hasIDs {
                message.messageID = String(random.next(), radix: 16) + "-" + String(random.next(), radix: 16)
            }
            return message
        }
    }

    /// Actions, whose addresses are the longest content, for bodies that end as the mix's whole ones do.
    private func pad(_ body: [UInt8], by bytes: Int) -> [UInt8] {
        guard bytes > 0, body.suffix(2) == Array("}}".utf8)[...] else { return body }
        let members = zip(["url_action", "secondary_url_action"], stride(from: 0, to: bytes, by: 2_000))
        let actions = members.map { name, start in
            let path = String(repeating: "x", count: min(bytes - start, 2_000))
            return "\"\(name)\":{\"url\":\"https://example.org/\(path)\"}"
        }
        return body.dropLast(2) + Array(",\(actions.joined(separator: ","))}}".utf8)
    }

    func deleteQueues() throws {
        for queue in Self.queues + [Self.relayIn, Self.relayOut] { _ = try client.deleteQueue(queue) }
        try client.deleteExchange(Self.relayExchange)
    }

    private func feed(_ messages: [AMQPMessage]) throws {
        for start in stride(from: 0, to: messages.count, by: 2_000) {
            _ = try client.publish(Array(messages[start..<min(start + 2_000, messages.count)]))
        }
    }

    private func depth(_ queue: String) throws -> Int { try client.status(ofQueue: queue).messages }

    // MARK: The relay

    func relay(
        _ messages: [AMQPMessage], _ type: Topology.QueueType, isPersistent: Bool, asFanOut: Bool
    ) throws -> (rate: Double, cpu: Double) {
        var route = try declareRelay(type, asFanOut: asFanOut)
        route.isPersistent = isPersistent
        try feed(
            messages.map { message in
                var message = message
                (message.exchange, message.routingKey) = ("", Self.relayIn)
                return message
            })
        return yardstick.run(route, count: messages.count, prefetch: 1_000)
    }

    private func declareRelay(_ type: Topology.QueueType, asFanOut: Bool) throws -> Relay.Route {
        let exchange = asFanOut ? "\(Self.relayExchange).topic" : Self.relayExchange
        let key = asFanOut ? "\(Self.key).progress" : Self.relayOut
        try client.declareExchange(exchange, type: asFanOut ? "topic" : "direct")
        for queue in [Self.relayIn, Self.relayOut] {
            _ = try client.deleteQueue(queue)
            _ = try client.declareQueue(
                queue, durable: true, arguments: [("x-queue-type", .text(type.rawValue))])
        }
        try client.bindQueue(Self.relayOut, to: exchange, key: asFanOut ? "#" : key)
        return Relay.Route(queue: Self.relayIn, exchange: exchange, key: key, asFanOut: asFanOut)
    }

    func relayLatencies(_ type: Topology.QueueType, count: Int, perSecond: Double) throws -> [Double] {
        _ = try declareRelay(type, asFanOut: false)
        // The relay runs in a process of its own: it serves until all has come through.
        let relay = try ChildProcess([
            CommandLine.arguments[0], "relay", url, Self.relayIn, Self.relayExchange, Self.relayOut, String(count),
        ])
        while try client.status(ofQueue: Self.relayIn).consumers == 0 { usleep(20_000) }
        let found = try yardstick.latencies(
            exchange: "", key: Self.relayIn, results: Self.relayOut, isPersistent: true, count: count,
            perSecond: perSecond)
        try relay.join()
        return found
    }

    // MARK: The worker

    func worker(_ messages: [AMQPMessage], _ load: Load, _ type: Topology.QueueType) throws -> Run {
        var run: Run?
        try withWorker(load, type) { start in
            try feed(messages)
            let begin = ContinuousClock.now
            let worker = try start()
            // From the first look at which it works to the last message's delivery.
            var first: (moment: ContinuousClock.Instant, left: Int, cpu: Int)?
            var out: Double?
            while true {
                let (left, now) = (try depth(Self.queues[0]), ContinuousClock.now)
                if out == nil, try depth(Self.queues[1]) > 0 { out = begin.duration(to: now) / .milliseconds(1) }
                if let first, left == 0, out != nil {
                    let moved = Double(max(1, first.left))
                    run = Run(
                        figures: (
                            moved / (first.moment.duration(to: now) / .seconds(1)),
                            Double(worker.microseconds - first.cpu) / moved
                        ), milliseconds: out ?? 0, residentKilobytes: worker.residentKilobytes)
                    break
                }
                if first == nil, left < messages.count { first = (now, left, worker.microseconds) }
                guard begin.duration(to: now) < Self.patience else {
                    throw BenchmarkFailure("\(left) messages are left after \(Self.patience)")
                }
                // To look costs the broker as much as a message: often only until the first outcome is out.
                usleep(out == nil ? 5_000 : 50_000)
            }
            try worker.stop()
        }
        guard let run else { throw BenchmarkFailure("the worker did not run") }
        return run
    }

    func workerLatencies(_ type: Topology.QueueType, count: Int, perSecond: Double) throws -> [Double] {
        var found: [Double] = []
        try withWorker(Load(widgets: 1), type) { start in
            let worker = try start()
            while try client.status(ofQueue: Self.queues[0]).consumers == 0 { usleep(20_000) }
            found = try yardstick.latencies(
                exchange: "widgets.updates", key: Self.key, results: Self.queues[1], isPersistent: true, count: count,
                perSecond: perSecond)
            try worker.stop()
        }
        return found
    }

    /// Runs `body` with empty queues of a type, a store with the load's widgets, and a way to start a worker on them.
    private func withWorker(
        _ load: Load, _ type: Topology.QueueType, _ body: (_ start: () throws -> ChildProcess) throws -> Void
    ) throws {
        for queue in Self.queues { _ = try client.deleteQueue(queue) }
        try TemporaryStore.with { path in
            try StoreSamples.fill(path, widgets: load.widgets)
            let start = {
                try ChildProcess([
                    ChildProcess.widgetd, "run", "--amqp-url", url, "--store", "sqlite:\(path)", "--admin", "off",
                    "--default-throttle", String(load.throttle), "--max-widgets", "0", "--queue-type", type.rawValue,
                    "--prefetch", String(load.prefetch),
                ])
            }
            // One declares the queues, and is gone before they are filled.
            let first = try start()
            while try !isConsumed() { usleep(20_000) }
            try first.stop()
            try body(start)
        }
    }

    private func isConsumed() throws -> Bool {
        do {
            return try client.status(ofQueue: Self.queues[0]).consumers > 0
        } catch  where error.code == 404 {
            return false
        }
    }
}
