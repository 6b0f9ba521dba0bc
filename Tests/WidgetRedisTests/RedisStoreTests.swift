import Foundation
import Testing
import WidgetRedis
import WidgetTestSupport
import WidgetWorker

@Suite(WithRedisServer()) struct RedisStoreTests {
    @Test(arguments: StoreContract.promises)
    func keeps(_ promise: StorePromise) throws {
        try promise.check { try RedisServer.shared().store($0) }
    }

    @Test(arguments: StoreContract.sharedPromises)
    func keepsAmongOthers(_ promise: SharedStorePromise) throws {
        let address = try RedisAddress(RedisServer.shared().url())
        try promise.check { RedisStore(address: address, queues: ["updates.0", "updates.1"]) }
    }

    @Test("without a single consumer nobody owns a queue")
    func nobodyOwnsAQueue() throws {
        let address = try RedisAddress(RedisServer.shared().url())
        let workers = (0..<2).map { _ in RedisStore(address: address, queues: ["updates"], isSingleConsumer: false) }
        _ = try workers[0].takeOver(queue: 0)
        var changes = StoreChanges(now: 0)
        changes.deliveries = [.sample(1)]
        _ = try workers[1].commit(changes)
        #expect(try workers[0].rememberedDeliveries() == [.sample(1)])
    }

    @Test("a worker whose lease has run out is gone, and comes back")
    func aLeaseRunsOut() throws {
        let address = try RedisAddress(RedisServer.shared().url())
        let (first, second) = (
            RedisStore(address: address, queues: ["updates"], lease: .milliseconds(50)),
            RedisStore(address: address, queues: ["updates"])
        )
        var changes = StoreChanges(now: 0)
        changes.outcomes = .sample("left")
        let number = try first.commit(changes).number
        #expect(try Poll.until { try second.takeOverAbandoned(at: 0).outcomes.map(\.number) == [number] })
        #expect(try first.commit(StoreChanges(now: 0)).number > number)
    }

    @Test("stores of two prefixes on one server do not meet")
    func prefixesDoNotMeet() throws {
        let (first, second) = try (RedisServer.shared().store(), RedisServer.shared().store())
        try first.put(.sample("pages"))
        #expect(try second.widget("pages") == nil)
        #expect(try second.liveWidgets(in: "acme") == 0)
    }

    @Test("a closed store says so")
    func aClosedStoreSaysSo() throws {
        let store = try RedisServer.shared().store()
        try store.close()
        try store.close()
        let error = #expect(throws: StoreError.self) { try store.commit(StoreChanges(now: 0)) }
        #expect(error?.description.contains("is closed") == true)
        #expect(error?.isTransient == false)
    }

    @Test("a value that somebody changed by hand is damage, not a passing fault")
    func damageIsTold() throws {
        let server = try RedisServer.shared()
        let prefix = UUID().uuidString
        let store = try RedisServer.shared().store(prefix: prefix)
        try server.command("SET", "{\(prefix)}:widget:acme/pages", "nonsense")
        let error = #expect(throws: StoreError.self) { try store.widget("pages") }
        #expect(error?.isTransient == false)
        #expect(error?.description.contains("changed by hand") == true)
        try server.command("DEL", "{\(prefix)}:pending")
        try server.command("SET", "{\(prefix)}:pending", "of another type")
        #expect(throws: StoreError.self) { try store.widget("other") }
    }
}
