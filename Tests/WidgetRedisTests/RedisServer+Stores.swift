import Testing
import WidgetRedis
import WidgetTestSupport
import WidgetWorker

extension RedisServer {
    /// The suite's.
    static func shared() throws -> RedisServer { try #require(current) }

    /// A new store on it, which owns its queue.
    func store(_ options: StoreOptions = StoreOptions(), prefix: String? = nil) throws -> RedisStore {
        let store = try RedisStore(
            address: RedisAddress(prefix.map { url(prefix: $0) } ?? url()), queues: ["updates"],
            dedupeWindow: options.dedupeWindow, clock: options.clock)
        _ = try store.takeOver(queue: 0)
        return store
    }
}
