import Testing
import WidgetTestSupport
import WidgetWorker

@Suite struct MemoryStoreTests {
    @Test(arguments: StoreContract.promises)
    func keeps(_ promise: StorePromise) throws {
        try promise.check { MemoryStore(dedupeWindow: $0.dedupeWindow, clock: $0.clock) }
    }
}
