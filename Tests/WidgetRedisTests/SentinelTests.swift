import Testing
import WidgetRedis
import WidgetTestSupport
import WidgetWorker

@Suite struct SentinelTests {
    @Test("after a failover the store goes on with the new master, and loses nothing that it had received")
    func failover() throws {
        let master = try RedisServer()
        let replica = try RedisServer(["--replicaof", "127.0.0.1 \(master.port)"])
        let sentinel = try RedisServer.sentinel(of: master)
        #expect(
            try Poll.until(seconds: 30) {
                try sentinel.command("SENTINEL", "REPLICAS", RedisServer.masterName).contains("\(replica.port)")
                    && replica.command("INFO", "replication").contains("master_link_status:up")
            })
        // The first one is not there.
        let (listener, nobody) = try Sockets.listen()
        Sockets.close(listener)
        let address = try RedisAddress(
            "redis+sentinel://127.0.0.1:\(nobody),127.0.0.1:\(sentinel.port)/\(RedisServer.masterName)")
        let store = RedisStore(address: address, queues: ["updates"])
        _ = try store.takeOver(queue: 0)
        var changes = StoreChanges(now: 0)
        changes.widgets = [.sample("pages")]
        changes.replaced = [nil]
        changes.deliveries = [.sample(1)]
        _ = try store.commit(changes)
        #expect(
            try Poll.until {
                try replica.command("GET", "{widgetd}:number") == master.command("GET", "{widgetd}:number")
            })

        master.kill()
        changes.widgets = [.sample("pages", revision: 2)]
        changes.replaced = [WidgetVersion(revision: 1, pushedAt: nil)]
        changes.deliveries = [.sample(2)]
        var last: StoreError?
        let isStored = try Poll.until(seconds: 30) {
            do {
                _ = try store.commit(changes)
                return true
            } catch let error as StoreError {
                #expect(error.isTransient, "\(error)")
                last = error
                return false
            }
        }
        #expect(isStored, "\(String(describing: last))")
        #expect(last != nil)
        #expect(try store.widget("pages")?.revision == 2)
        #expect(try store.rememberedDeliveries() == [.sample(1), .sample(2)])
        #expect(try replica.command("GET", "{widgetd}:number") == "3")
    }

    @Test("a master that no sentinel knows, and a sentinel in place of a server, are told")
    func unknown() throws {
        let master = try RedisServer()
        let sentinel = try RedisServer.sentinel(of: master)
        func fault(_ url: String) throws -> StoreError? {
            let address = try RedisAddress(url)
            return #expect(throws: StoreError.self) { try RedisStore(address: address, queues: []).widget("pages") }
        }
        let other = try fault("redis+sentinel://127.0.0.1:\(sentinel.port)/other")
        #expect(other?.description.contains("knows no master \"other\"") == true, "\(String(describing: other))")
        let server = try fault("redis://127.0.0.1:\(sentinel.port)")
        #expect(
            server?.description.contains("is a sentinel: write redis+sentinel://") == true,
            "\(String(describing: server))")
        let nobody = try fault("redis+sentinel://127.0.0.1:\(master.port)/widgets")
        #expect(nobody?.isTransient == true)
    }
}
