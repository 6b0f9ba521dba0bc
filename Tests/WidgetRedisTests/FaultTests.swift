import Testing
import WidgetRedis
import WidgetTelemetry
import WidgetTestSupport
import WidgetWorker

/// Faults of the surroundings pass: they are told in a line, and nothing is lost for them.
@Suite struct FaultTests {
    /// A store that waits for little; it owns its queue where the server answers already.
    private func store(_ url: String, log: Log = .none) throws -> RedisStore {
        var address = try RedisAddress(url)
        (address.connectTimeout, address.commandTimeout) = (500, 500)
        return RedisStore(address: address, queues: ["updates"], log: log)
    }

    private func transientFault(_ words: String, _ body: () throws -> Void) {
        let error = #expect(throws: StoreError.self, performing: body)
        #expect(error?.isTransient == true)
        #expect(error?.description.contains(words) == true, "\(String(describing: error))")
        #expect(error?.description.contains("\n") == false)
    }

    private func changes(_ revision: Int64) -> StoreChanges {
        var changes = StoreChanges(now: 0)
        changes.widgets = [.sample("pages", revision: revision)]
        changes.replaced = [revision == 1 ? nil : WidgetVersion(revision: revision - 1, pushedAt: nil)]
        changes.outcomes = .sample("outcome \(revision)")
        changes.deliveries = [.sample(UInt64(revision))]
        return changes
    }

    /// Revisions 1 up to this one, each committed once.
    private func expectEverything(upTo revision: Int64, in store: RedisStore) throws {
        #expect(try store.widget("pages")?.revision == revision)
        #expect(
            try store.unsettledOutcomes().map(\.outcomes) == (1...revision).map { .sample("outcome \($0)") })
        #expect(try store.rememberedDeliveries() == (1...revision).map { .sample(UInt64($0)) })
    }

    @Test("a server that is not there is waited for")
    func notThere() throws {
        let (listener, port) = try Sockets.listen()
        Sockets.close(listener)
        transientFault("takes no connection: Connection refused") {
            _ = try store("redis://127.0.0.1:\(port)").commit(changes(1))
        }
        transientFault("the name redis.invalid is not found") {
            _ = try store("redis://redis.invalid").commit(changes(1))
        }
    }

    @Test("a server that is killed loses nothing that was on its disk, and the store goes on by itself")
    func killed() throws {
        let server = try RedisServer(["--appendonly", "yes", "--appendfsync", "always"])
        let store = try store(server.url())
        _ = try store.takeOver(queue: 0)
        let number = try store.commit(changes(1)).number
        server.kill()
        // It "has closed the connection", or "takes no connection".
        transientFault("connection") { _ = try store.commit(changes(2)) }
        try server.start()
        #expect(try store.commit(changes(2)).number > number)
        try expectEverything(upTo: 2, in: store)
    }

    @Test("a server that hangs is given up in time, and what it did of a batch is not done twice")
    func hangs() throws {
        let server = try RedisServer()
        let store = try store(server.url())
        _ = try store.takeOver(queue: 0)
        _ = try store.commit(changes(1))
        server.pause()
        let start = ContinuousClock.now
        transientFault("does not answer in time") { _ = try store.commit(changes(2)) }
        transientFault("does not answer in time") { _ = try store.commit(changes(2)) }
        #expect(start.duration(to: .now) < .seconds(3))
        server.resume()
        _ = try store.commit(changes(2))
        try expectEverything(upTo: 2, in: store)
    }

    @Test("a commit whose answer is lost is done once", arguments: [false, true])
    func lostAnswer(_ isSilent: Bool) throws {
        let server = try RedisServer()
        let relay = try Relay(to: server.port)
        defer { relay.close() }
        let store = try store("redis://127.0.0.1:\(relay.port)")
        _ = try store.takeOver(queue: 0)
        _ = try store.commit(changes(1))
        if isSilent {
            // The server has it, and no answer comes: only the second call brings it.
            relay.loseAnswers()
            transientFault("does not answer in time") { _ = try store.commit(changes(2)) }
            relay.hangUp()
        } else {
            relay.hangUpInPlaceOfAnswer()
        }
        _ = try store.commit(changes(2))
        try expectEverything(upTo: 2, in: store)
        _ = try store.commit(changes(3))
        try expectEverything(upTo: 3, in: store)
    }

    @Test("a worker that gave up after a lost answer finds what it has taken over")
    func lostTakeOver() throws {
        let server = try RedisServer()
        let relay = try Relay(to: server.port)
        defer { relay.close() }
        let (store, other) = (
            try store("redis://127.0.0.1:\(relay.port)"), try store("redis://127.0.0.1:\(server.port)")
        )
        _ = try other.takeOver(queue: 0)
        let number = try other.commit(changes(1)).number
        #expect(try store.takeOverAbandoned(at: 0).outcomes.isEmpty)
        try other.close()
        relay.loseAnswers()
        transientFault("does not answer in time") { _ = try store.takeOverAbandoned(at: 0) }
        relay.hangUp()
        #expect(try store.takeOverAbandoned(at: 0).outcomes.map(\.number) == [number])
    }

    @Test("a server that has forgotten the scripts gets them again")
    func forgottenScripts() throws {
        let server = try RedisServer()
        let store = try store(server.url())
        _ = try store.takeOver(queue: 0)
        _ = try store.commit(changes(1))
        try server.command("SCRIPT", "FLUSH")
        _ = try store.commit(changes(2))
        try expectEverything(upTo: 2, in: store)
    }

    @Test("who gets no entry is told what is wanted, and asks slowly")
    func noEntry() throws {
        let server = try RedisServer(["--requirepass", "right", "--user"] + "worker on >w ~* +@all -zadd".words)
        transientFault("wants a password") { _ = try store(server.url()).widget("pages") }
        let wrong = try store("redis://:wrong@127.0.0.1:\(server.port)")
        transientFault("give the right user and password") { _ = try wrong.widget("pages") }
        // The two looks are a connection each.
        let before = try connections(to: server)
        transientFault("give the right user and password") { _ = try wrong.widget("pages") }
        #expect(try connections(to: server) == before + 1, "it asks again at once")
        transientFault("permissions") { _ = try store("redis://worker:w@127.0.0.1:\(server.port)").widget("pages") }
        #expect(try store("redis://:right@127.0.0.1:\(server.port)").widget("pages") == nil)
        let open = try RedisServer()
        transientFault("without any password") {
            _ = try store("redis://:any@127.0.0.1:\(open.port)").widget("pages")
        }
    }

    private func connections(to server: RedisServer) throws -> Int {
        let lines = try server.command("-a", "right", "INFO", "stats").split(whereSeparator: \.isNewline)
        let line = try #require(lines.first { $0.hasPrefix("total_connections_received:") })
        return try #require(Int(line.drop { $0 != ":" }.dropFirst()))
    }

    @Test("a user with the permissions that are documented can do everything")
    func leastPermissions() throws {
        let user = """
            worker on >w resetchannels ~{widgetd}:* +auth +select +ping +info +config|get +eval +evalsha +script|load \
            +get +set +mset +mget +getrange +exists +incr +del +hget +hset +hmget +hdel +hgetall +zadd +zrem +zrange \
            +zrangebyscore +zrangebylex +zlexcount +zremrangebyscore +time
            """
        let server = try RedisServer(["--user"] + user.words)
        let address = try RedisAddress("redis://worker:w@127.0.0.1:\(server.port)")
        let promises = StoreContract.sharedPromises
        for promise in promises {
            try promise.check { RedisStore(address: address, queues: ["updates.0", "updates.1"]) }
            try server.command("FLUSHALL")
        }
        #expect(try RedisReader(address: address).widgets(after: nil, limit: 10).isEmpty)
        #expect(try RedisInspection(address: address).endpoint.port == server.port)
    }

    @Test("a full server is waited for, and has written nothing of the batch")
    func full() throws {
        let server = try RedisServer()
        let store = try store(server.url(prefix: "full"))
        _ = try store.takeOver(queue: 0)
        _ = try store.commit(changes(1))
        try server.command("CONFIG", "SET", "maxmemory", "1")
        transientFault("raise its maxmemory") { _ = try store.commit(changes(2)) }
        let reader = RedisReader(address: try RedisAddress(server.url(prefix: "full")))
        #expect(try reader.widgets(after: nil, limit: 9).map(\.widget.revision) == [1])
        try server.command("CONFIG", "SET", "maxmemory", "0")
        _ = try store.commit(changes(2))
        try expectEverything(upTo: 2, in: store)
    }

    @Test("a replica is not written to")
    func replica() throws {
        let master = try RedisServer()
        let server = try RedisServer(["--replicaof", "127.0.0.1 \(master.port)"])
        transientFault("is a replica of 127.0.0.1:\(master.port), wanted a master") {
            _ = try self.store(server.url()).commit(changes(1))
        }
        let store = try store(master.url())
        _ = try store.takeOver(queue: 0)
        _ = try store.commit(changes(1))
        try master.command("REPLICAOF", "127.0.0.1", String(server.port))
        transientFault("replica") { _ = try store.commit(changes(2)) }
    }

    @Test("another layout under the prefix is not touched")
    func anotherLayout() throws {
        let server = try RedisServer()
        try server.command("SET", "{mine}:layout", "99")
        transientFault("holds layout 99 under the prefix mine, wanted 1") {
            _ = try store(server.url(prefix: "mine")).widget("pages")
        }
    }
}

extension String {
    /// As a shell parts them.
    fileprivate var words: [String] { split(separator: " ").map(String.init) }
}
