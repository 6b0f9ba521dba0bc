import Testing
import WidgetAMQP
import WidgetTestSupport
import WorkerTestSupport

/// What cannot be done to a broker that others use at the same time.
@Suite(
    .enabled(if: WorkerProcess.isPossible && PrivateBroker.isPossible, PrivateBroker.absence), .serialized,
    WithPrivateBroker())
struct `The command run, on a broker of its own,` {
    private let broker: PrivateBroker

    init() throws {
        broker = try #require(PrivateBroker.current)
    }

    /// A worker whose client never publishes: an alarm would block it.
    private func worker(_ options: String = "") throws -> WorkerProcess { try WorkerProcess(url: broker.url + options) }

    private func send(_ messages: [AMQPMessage]) throws {
        let sender = try AMQPClient(AMQPAddress(broker.url))
        defer { sender.close() }
        #expect(try sender.publish(messages).allSatisfy { $0 == .confirmed })
    }

    /// The broker's ids of the worker's connections.
    private func connections() throws -> Set<Substring> {
        Set(
            try broker.control("list_connections", "pid", "client_properties").split(separator: "\n")
                .filter { $0.contains("widgetd consumer") || $0.contains("widgetd publisher") }
                .compactMap { $0.split(separator: "\t").first })
    }

    /// How long the broker lets a delivery wait for its acknowledgement; it looks once a second.
    private func setPatience(milliseconds: Int) throws {
        let interval = "application:set_env(rabbit, channel_tick_interval, 1000)"
        try broker.control(
            "eval", "\(interval), application:set_env(rabbit, consumer_timeout, \(milliseconds)).")
    }

    @Test(.row(4)) func `waits through a memory alarm on the same connections, and loses nothing`() throws {
        let worker = try worker("?heartbeat=2")
        try worker.startAndWait()
        try send([Update.create(worker)])
        #expect(worker.waitUntil { worker.messages(in: worker.fanout) == 1 })
        #expect(worker.stop() == 0)
        try send(Update.patches(worker, 50))
        try broker.control("set_vm_memory_high_watermark", "0.0000001")
        defer { _ = try? broker.control("set_vm_memory_high_watermark", "0.4") }
        try worker.startAndWait()
        #expect(worker.waitUntil { worker.log.contains("memory or disk alarm") })
        let before = try connections()
        #expect(!worker.waitUntil(seconds: 7) { worker.messages(in: worker.fanout) > 1 || worker.hasEnded })
        #expect(try connections() == before && before.count == 2)

        try broker.control("set_vm_memory_high_watermark", "0.4")
        #expect(
            worker.waitUntil { worker.messages(in: worker.fanout) == 51 },
            "\(worker.messages(in: worker.fanout)): \(worker.log)")
        #expect(try worker.drain(worker.fanout).map(\.messageID) == Update.ids(51))
        #expect(worker.stop() == 0)
        #expect(worker.messages(in: worker.updates) == 0)
    }

    @Test(.row(11)) func `applies each update once when its connections are closed with fifty in hand`() throws {
        let worker = try worker()
        try worker.startAndWait()
        try send([Update.create(worker)])
        #expect(worker.waitUntil { worker.messages(in: worker.fanout) == 1 })
        let held = try HeldStore(worker.store)
        try send(Update.patches(worker, 50))
        #expect(worker.waitUntil { worker.messages(in: worker.updates) == 0 })
        let before = try connections()
        for connection in before { try broker.control("close_connection", String(connection), "test") }
        #expect(try worker.waitUntil { try connections().subtracting(before).count == 2 })
        held.release()
        #expect(worker.waitUntil { worker.messages(in: worker.fanout) == 51 }, "\(worker.log)")
        try worker.finish()
        #expect(try worker.drain(worker.fanout).map(\.messageID) == Update.ids(51))
        #expect(!broker.log.contains("unknown delivery tag"))
    }

    @Test(.row(13)) func `goes on when the broker ends a channel whose deliveries wait too long`() throws {
        try setPatience(milliseconds: 3_000)
        defer { try? setPatience(milliseconds: 1_800_000) }
        let worker = try worker()
        try worker.startAndWait()
        try send([Update.create(worker)])
        #expect(worker.waitUntil { worker.messages(in: worker.fanout) == 1 })
        let held = try HeldStore(worker.store)
        try send(Update.patches(worker, 20))
        #expect(worker.waitUntil { broker.log.contains("delivery acknowledgement on channel") })
        held.release()
        #expect(worker.waitUntil { worker.messages(in: worker.fanout) == 21 }, "\(worker.log)")
        try worker.finish()
        #expect(try worker.drain(worker.fanout).map(\.messageID) == Update.ids(21))
    }

    @Test(.row(13)) func `holds nothing until the broker loses patience, however long it runs`() throws {
        try setPatience(milliseconds: 3_000)
        defer { try? setPatience(milliseconds: 1_800_000) }
        let worker = try worker()
        try worker.startAndWait()
        try send([Update.create(worker), Update.patch(worker, #"{"content":{"value":42}}"#)])
        #expect(!worker.waitUntil(seconds: 6) { worker.connections > 2 })
        #expect(worker.stop() == 0)
        #expect(worker.messages(in: worker.updates) == 0)
    }

    @Test func `publishes where a connection may have one channel`() throws {
        try broker.control("eval", "application:set_env(rabbit, channel_max, 1).")
        defer { _ = try? broker.control("eval", "application:set_env(rabbit, channel_max, 2047).") }
        let worker = try worker()
        try worker.startAndWait()
        try send([Update.create(worker)] + Update.patches(worker, 20))
        #expect(worker.waitUntil { worker.messages(in: worker.fanout) == 21 }, "\(worker.log)")
        #expect(try worker.drain(worker.fanout).map(\.messageID) == Update.ids(21))
        #expect(worker.stop() == 0)
    }

    @Test(.row(27), arguments: [("", ""), ("/", "%2f"), ("a/b", "a%2Fb")])
    func `logs in with any password to any virtual host, and shows no password`(host: String, path: String) throws {
        let (user, password) = ("us@er/\(host)", "p@s#s$w%o:r/d")
        if host != "/" { try broker.control("add_vhost", host) }
        try broker.control("add_user", user, password)
        try broker.control("set_permissions", "-p", host, user, ".*", ".*", ".*")
        let name = user.replacing("@", with: "%40").replacing("/", with: "%2F")
        let port = try AMQPAddress(broker.url).port
        let worker = try WorkerProcess(url: "amqp://\(name):p%40s%23s$w%25o:r%2Fd@127.0.0.1:\(port)/\(path)")
        try worker.startAndWait()
        _ = try worker.client.publish(Update.create(worker))
        #expect(worker.waitUntil { worker.messages(in: worker.fanout) == 1 })
        #expect(worker.stop() == 0)
        #expect(!worker.log.contains("p@s#s") && !worker.log.contains("p%40s"), "\(worker.log)")
    }
}
