import Glibc
import Testing
import WidgetAMQP
import WidgetTestSupport
import WorkerTestSupport

/// A stream of updates, and the workers that take it while a fault strikes.
final class FaultTrial {
    /// What did not happen in time, and the worker's last words.
    struct TooLate: Error, CustomStringConvertible {
        let description: String
    }

    let fault: Fault
    let broker: PrivateBroker
    let worker: WorkerProcess
    /// All that there are, `worker` first.
    private(set) var workers: [WorkerProcess]
    /// Holds the state of several.
    var server: RedisServer?
    let page: FaultPage
    var random: SeededRandom
    /// Between the worker and the broker, for faults of the network.
    var relay: Relay?
    /// Undone when the trial ends.
    var cleanUp: (() -> Void)?
    private(set) var injected = 0
    private(set) var published: [UpdateStream.Update] = []
    /// Ids of messages that no worker survives.
    private(set) var deadly: Set<String> = []
    private(set) var taken: [String: [AMQPMessage]] = [:]
    private var stream: UpdateStream

    var receipts: String { worker.base + ".receipts" }

    init(of fault: Fault, seed: UInt64) throws {
        self.fault = fault
        broker = try #require(PrivateBroker.current)
        worker = try WorkerProcess(url: broker.url)
        workers = [worker]
        page = try FaultPage(in: worker.folder)
        random = SeededRandom(seed: seed)
        stream = UpdateStream(widgets: 20, seed: seed, ids: fault.ids, reusesIDs: fault.reusesIDs)
        worker.environment = page.environment
        worker.options = ["--prefetch", "20", "--queue-type", "quorum"]
        _ = try worker.client.declareQueue(receipts, durable: true)
        if fault.workers > 1 { try shareAmongWorkers() }
        // The first worker makes the topology.
        for worker in workers { try worker.startAndWait() }
        try wait("the outbound queues are there") { (try? outcomes()) != nil }
    }

    /// Two shards are each worker's own and the next one's first as well: one that ends has somebody in its place.
    private func shareAmongWorkers() throws {
        let server = try RedisServer(["--appendonly", "yes", "--appendfsync", "always"])
        self.server = server
        worker.storeAddress = StoreServer(server: server).address
        worker.shards = 2 * fault.workers
        worker.options += ["--prefetch", String(20 * worker.shards)]
        for _ in 1..<fault.workers { workers.append(try WorkerProcess(beside: worker)) }
        for (number, worker) in workers.enumerated() {
            let shards = (0..<3).map { (2 * number + $0) % worker.shards }
            worker.options += ["--consume", shards.sorted().map(String.init).joined(separator: ",")]
        }
    }

    deinit {
        for worker in workers { worker.kill() }
        _ = try? worker.client.deleteQueue(receipts)
        relay?.close()
        cleanUp?()
    }

    /// What the workers have stored.
    var store: any StoreContents { server.map { StoreServer(server: $0) } ?? StoreFile(worker.store) }

    /// What the workers said.
    var log: String { workers.map(\.log).joined() }

    // MARK: Messages

    /// Publishes the next updates, at least so many.
    func publish(_ count: Int) throws {
        let updates = stream.next(count)
        published += updates
        try send(updates)
    }

    /// Publishes everything once more, as senders do who had no answer.
    func publishAgain() throws { try send(published) }

    private func send(_ updates: [UpdateStream.Update]) throws {
        let results = try worker.client.publish(
            updates.map { update in
                var message = update.message(exchange: worker.updates)
                if update.id != nil { message.replyTo = receipts }
                return message
            })
        try #require(results.allSatisfy { $0 == .confirmed })
    }

    /// Publishes a message at which the worker's process aborts.
    func publishDeadly(id: String) throws {
        deadly.insert(id)
        var message = AMQPMessage(
            exchange: worker.updates, routingKey: "acme.deadly", body: Gzip.stored(FaultPage.deadlyBody))
        message.messageID = id
        message.contentEncoding = "gzip"
        try #require(try worker.client.publish(message) == .confirmed)
    }

    /// Takes what was published so far, so that the outbound queues are empty.
    func takeOutcomes() throws {
        for queue in [worker.fanout, worker.rejections, receipts] {
            taken[queue, default: []] += try worker.drain(queue)
        }
    }

    // MARK: Faults

    /// Counts a fault.
    func strike(_ body: () throws -> Void) rethrows {
        injected += 1
        try body()
    }

    /// Strikes once some of the next updates have an outcome and others wait.
    /// - Parameter milliseconds: what the disk takes meanwhile, so that the load lasts.
    func strikeUnderLoad(of count: Int = 300, disk milliseconds: Int = 20, _ body: () throws -> Void) throws {
        for worker in workers where worker.hasEnded { try worker.startAndWait() }
        page.setDisk(milliseconds: milliseconds)
        let before = try outcomes()
        let more = 1 + random.below(count / 3)
        try publish(count)
        try wait("\(more) outcomes") { try outcomes() >= before + more }
        try strike(body)
        page.setDisk(milliseconds: 0)
    }

    private func outcomes() throws -> Int {
        try worker.client.status(ofQueue: worker.fanout).messages
            + worker.client.status(ofQueue: worker.rejections).messages
    }

    // MARK: Waiting

    func wait(_ event: String, seconds: Double = 180, until condition: () throws -> Bool) throws {
        if try isThere(seconds: seconds, condition) { return }
        throw TooLate(
            description: "not within \(seconds) s: \(event); the workers' last words:"
                + workers.map { "\n\($0.log.suffix(2_000))" }.joined())
    }

    private func isThere(seconds: Double, _ condition: () throws -> Bool) rethrows -> Bool {
        try Poll.until(seconds: seconds) {
            // Looks at logs, stores and the broker cost something.
            usleep(5_000)
            return try condition()
        }
    }

    /// Waits until the worker says this once more than it has when `body` begins.
    func waitForWord(_ word: String, after body: () throws -> Void) throws {
        let before = times(word)
        try body()
        try wait("the log says \"\(word)\"") { times(word) > before }
    }

    /// Publishes the next updates, and further ones whenever workers have taken all, until the condition holds: how
    /// many that takes is for the machine to say, since on a busy one a batch, a write and an acknowledgement hold more.
    func publish(_ count: Int, until event: String, _ condition: () throws -> Bool) throws {
        try wait(event) {
            if try condition() { return true }
            if try isQueueEmpty() { try publish(count) }
            return false
        }
    }

    /// Waits until the worker, which has updates to take all the time, says this once more than it has by now.
    func publish(_ count: Int, untilWord word: String) throws {
        let before = times(word)
        try publish(count, until: "the log says \"\(word)\"") { times(word) > before }
    }

    private func times(_ word: String) -> Int { log.ranges(of: word).count }

    /// No fault any more: workers go on until nothing is left to do, and the last ones are stopped. What is left
    /// undone then is for the comparison to tell.
    func settle(as model: Model) throws {
        page.clear()
        // An empty queue may still have deliveries in hand, which are back once the worker has ended.
        for _ in 0..<5 {
            for worker in workers where worker.hasEnded { try worker.startAndWait() }
            // A queue that the broker has just recovered tells no messages for a while, so the store has to agree.
            _ = try isThere(seconds: 180) {
                try isQueueEmpty() && store.unsettled() == 0 && store.widgets() == model.widgets
            }
            for worker in workers { #expect(worker.stop() == 0, "\(worker.log.suffix(1_000))") }
            if try isQueueEmpty() { break }
        }
        try takeOutcomes()
    }

    func isQueueEmpty() throws -> Bool {
        try worker.updatesQueues.allSatisfy { try worker.client.status(ofQueue: $0).messages == 0 }
    }
}
