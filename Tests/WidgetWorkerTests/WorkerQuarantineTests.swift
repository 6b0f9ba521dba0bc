import Synchronization
import Testing
import WidgetTestSupport

@testable import WidgetWorker

/// Row 14 of the field reports: crashes of earlier runs, and what the next run makes of what comes back.
@Suite struct WorkerQuarantineTests {
    private static let poison = Fingerprint.sample(1)
    private static let other = Fingerprint.sample(2)

    @Test(
        "a message counts the crashes at which it was in hand, alone or in a batch",
        arguments: [
            ([], .usual, .usual),
            ([.message(poison)], .alone, .usual),
            ([.batch], .alone, .alone),
            ([.batch, .batch], .alone, .alone),
            ([.message(poison), .message(poison)], .refuse, .usual),
            ([.batch, .message(poison)], .refuse, .alone),
            ([.message(poison), .message(other)], .alone, .alone),
        ] as [([InHand], Quarantine.Advice, Quarantine.Advice)])
    func advice(crashes: [InHand], poison: Quarantine.Advice, other: Quarantine.Advice) {
        let quarantine = Quarantine(crashes)
        #expect(quarantine.advice(for: Self.poison, redelivered: true) == poison)
        #expect(quarantine.advice(for: Self.other, redelivered: true) == other)
        #expect(quarantine.advice(for: Self.poison, redelivered: false) == .usual)
    }

    @Test("what was in hand at a crash is run alone, and the notes are cleared behind the first fresh delivery")
    func alone() throws {
        let creates = Message.creates("one", "two", "three")
        let notes = FakeCrashNotes([.message(Self.fingerprint(creates[1]))])
        let bench = WorkerBench(notes: notes)
        bench.source.deliver(creates, redelivered: true)
        try bench.until { bench.source.unacknowledgedTags.isEmpty }
        #expect(bench.acknowledgedTags == [1, 2, 3])
        #expect(notes.crashes().count == 1)
        bench.source.deliver(Message.creates("four"))
        try bench.until { notes.crashes().isEmpty }
        #expect(try bench.finish().accepted == 4)
    }

    @Test("what was in hand at two crashes is refused unread, and its neighbours are done")
    func refused() throws {
        let creates = Message.creates("one", "two", "three")
        let poison = InHand.message(Self.fingerprint(creates[1]))
        let notes = FakeCrashNotes([poison, poison])
        let bench = WorkerBench(notes: notes)
        bench.source.deliver(creates, redelivered: true)
        try bench.until { bench.source.unacknowledgedTags.isEmpty }
        let summary = try bench.finish()
        #expect(summary.accepted == 2 && summary.rejected == 1)
        #expect(bench.store.widget("two") == nil)
        #expect(bench.hasLogged("quarantined"))
    }

    @Test("the message that is read or decided is in hand, then the batch, and nothing once it is stored")
    func held() throws {
        let creates = Message.creates("one", "two")
        let notes = FakeCrashNotes([])
        let bench = WorkerBench(notes: notes)
        bench.source.deliver(creates)
        try bench.until { bench.source.unacknowledgedTags.isEmpty }
        _ = try bench.finish()
        let each = creates.map { InHand.message(Self.fingerprint($0)) }
        #expect(notes.held == each + [.batch] + each + [.batch, .nothing])
    }

    private static func fingerprint(_ message: Message) -> Fingerprint {
        MessageReader(limits: MessageLimits(), notes: NoCrashNotes()).fingerprint(of: message)
    }
}

/// Notes in memory, with all that was in hand.
final class FakeCrashNotes: CrashNotes {
    private let noted: Mutex<[InHand]>
    private let holds = Mutex<[InHand]>([])

    init(_ crashes: [InHand]) { noted = Mutex(crashes) }

    var held: [InHand] { holds.withLock { $0 } }

    func crashes() -> [InHand] { noted.withLock { $0 } }
    func hold(_ hand: InHand) { holds.withLock { $0.append(hand) } }
    func clear() { noted.withLock { $0 = [] } }
}
