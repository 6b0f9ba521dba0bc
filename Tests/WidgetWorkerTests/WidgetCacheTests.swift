import Testing
import WidgetContract
import WidgetTestSupport

@testable import WidgetWorker

@Suite struct WidgetCacheTests {
    private static func address(_ number: Int) -> WidgetAddress {
        WidgetAddress(account: "acme", slug: "widget-\(number)")
    }

    private static func widget(_ number: Int, revision: Int64 = 1) -> Widget {
        Widget(
            address: address(number), revision: revision, sequence: nil, createdAt: 0, updatedAt: 0, document: nil)
    }

    private func filled(capacity: Int, _ numbers: Range<Int>) -> WidgetCache {
        var cache = WidgetCache(capacity: capacity)
        for number in numbers { _ = cache.insert(Self.widget(number), at: Self.address(number)) }
        return cache
    }

    @Test("what was put in is found, also that there is no widget")
    func found() {
        var cache = filled(capacity: 4, 0..<1)
        let absent = cache.insert(nil, at: Self.address(9))
        let slots = [0, 9, 5].map { cache.slot(of: Self.address($0)) }
        #expect(slots == [0, absent, nil])
        #expect(cache.widget(in: 0)?.address == Self.address(0))
        #expect(cache.widget(in: absent) == nil)
    }

    @Test("a batch may exceed the capacity and loses nothing while it lasts; trimming restores it")
    func batch() {
        var cache = filled(capacity: 4, 0..<100)
        #expect(cache.count == 100)
        for number in 0..<100 {
            let slot = cache.slot(of: Self.address(number))
            #expect(slot.map { cache.widget(in: $0)?.address } == Self.address(number))
        }
        cache.trim()
        #expect(cache.count == 4)
    }

    @Test("after any trimming each address leads to its own widget, and the capacity holds")
    func consistent() {
        var random = SeededRandom(seed: 7)
        var cache = WidgetCache(capacity: 16)
        for _ in 0..<500 {
            cache.trim()
            #expect(cache.count <= 16)
            for _ in 0..<random.below(12) {
                let number = random.below(60)
                let slot =
                    cache.slot(of: Self.address(number))
                    ?? cache.insert(Self.widget(number), at: Self.address(number))
                #expect(cache.widget(in: slot)?.address == Self.address(number))
            }
        }
    }

    @Test("what was used since the last trimming outlives what was not")
    func warm() {
        var cache = filled(capacity: 4, 0..<5)
        cache.trim()
        var copy = cache
        let used = (0..<5).last { copy.slot(of: Self.address($0)) != nil } ?? 0
        for number in 5..<20 {
            let slot = cache.slot(of: Self.address(used))
            #expect(slot.map { cache.widget(in: $0)?.address } == Self.address(used))
            _ = cache.insert(Self.widget(number), at: Self.address(number))
            cache.trim()
        }
    }

    @Test("a widget keeps the place among a batch's changes that its first one gave it")
    func changes() {
        var cache = filled(capacity: 4, 0..<1)
        for batch: [Int64] in [[2, 3], [4]] {
            let places = batch.map { revision in
                cache.change(0) { $0 = Self.widget(0, revision: revision) }
                return cache.noteChange(0, next: Int(revision))
            }
            #expect(places == batch.map { _ in Int(batch[0]) })
            #expect(cache.takeChange(of: 0)?.revision == batch.last)
        }
    }

    @Test("a capacity below one is one", arguments: [0, -1])
    func least(_ capacity: Int) {
        var cache = filled(capacity: capacity, 0..<3)
        cache.trim()
        #expect(cache.count == 1)
    }

    @Test("widgets beyond the capacity are decided as if they were cached")
    func beyondTheCapacity() throws {
        let desk = Desk()
        for round in 1...3 {
            let fates = try desk.decide((0..<50).map { .create(key: "acme.widget-\($0)") })
            #expect(fates.allSatisfy { $0.word == "accepted" })
            #expect((0..<50).allSatisfy { desk.stored("widget-\($0)")?.revision == Int64(round) })
        }
    }
}
