import Glibc
import Testing
import WidgetContract
import WidgetTestSupport

@testable import WidgetWorker

@Suite(.serialized) struct `Pending pushes` {
    /// So many wait, a widget each, a millisecond apart in an order that is no order.
    private static func schedule(_ count: Int) -> PushSchedule {
        var random = SeededRandom(seed: 7)
        let pending = (0..<count).shuffled(using: &random).map { number in
            PendingPush(
                address: WidgetAddress(account: "acme", slug: "w\(number)"), dueAt: Int64(number), window: 1 << 40,
                changed: [], updates: 1)
        }
        return PushSchedule(throttleSeconds: 15, pending: pending)
    }

    private static func cpuTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    @Test func `come soonest first, and each once`() {
        var schedule = Self.schedule(1_000)
        #expect(schedule.takeDue(at: -1, limit: 10).isEmpty)
        #expect(schedule.takeDue(at: 499, limit: 300).map(\.dueAt) == Array(0..<300))
        #expect(schedule.takeDue(at: 499, limit: 300).map(\.dueAt) == Array(300..<500))
        #expect(schedule.takeDue(at: 499, limit: 300).isEmpty)
        #expect(schedule.count == 500 && schedule.nextDue == 500)
    }

    /// The heap is a few levels higher, and the memory is no longer in the processor's caches: a scan would take a hundred
    /// times as long.
    @Test func `are taken at the cost of their own number, also among a million`() {
        func fastest(_ schedule: inout PushSchedule, from start: Int) -> Duration {
            (0..<20).map { round in
                let begin = Self.cpuTime()
                let due = schedule.takeDue(at: Int64(start + round * 100 + 99), limit: 1_000)
                let time = Self.cpuTime() - begin
                #expect(due.count == 100)
                // Nothing but these is to be stored.
                var changes = StoreChanges(now: 0)
                schedule.store(in: &changes)
                #expect(changes.noLongerPending.count == 100 && changes.pending.isEmpty)
                return time
            }.min() ?? .zero
        }
        var (few, many) = (Self.schedule(10_000), Self.schedule(1_000_000))
        let times = (fastest(&few, from: 0), fastest(&many, from: 0))
        #expect(times.1 < times.0 * 10, "\(times.0) among 10 000, \(times.1) among a million")
        #expect(many.count == 998_000)
    }
}
