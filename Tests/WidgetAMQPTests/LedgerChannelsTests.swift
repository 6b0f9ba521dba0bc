import Testing
import WidgetTestSupport
import WidgetWorker

@testable import WidgetAMQP

struct `The confirm ledger, over several channels,` {
    private typealias Position = ConfirmLedger.Position

    /// What happens to a ledger of one batch; outcomes are told by their place in it.
    private enum Event {
        /// Everything that may go out does: even outcomes over channel 0, odd ones over channel 1.
        case publish(mayTryRefused: Bool, wentOut: [Int])
        case confirm(UInt64, channel: Int, multiple: Bool)
        case refuse(UInt64, channel: Int, multiple: Bool)
        case returned(Int, channel: Int)
        case connected(channels: Int)
        case settled(unroutable: [Int]?)
    }

    private func play(_ count: Int, _ events: [Event]) {
        var ledger = ConfirmLedger()
        var channels = 2
        ledger.connected(channels: channels)
        ledger.add(number: 7, count: count)
        for (index, event) in events.enumerated() {
            switch event {
            case .publish(let mayTryRefused, let expected):
                var wentOut: [Int] = []
                while let position = ledger.next(mayTryRefused: mayTryRefused) {
                    ledger.published(position, channel: position.outcome % channels)
                    wentOut.append(position.outcome)
                }
                #expect(wentOut == expected, "event \(index)")
            case .confirm(let number, let channel, let multiple):
                ledger.confirm(number, channel: channel, multiple: multiple, positive: true)
            case .refuse(let number, let channel, let multiple):
                ledger.confirm(number, channel: channel, multiple: multiple, positive: false)
            case .returned(let outcome, let channel):
                ledger.returned(channel: channel) { $0.outcome == outcome }
            case .connected(let count):
                channels = count
                ledger.connected(channels: count)
            case .settled(let unroutable):
                #expect(ledger.takeSettled().map(\.unroutable) == (unroutable.map { [$0] } ?? []), "event \(index)")
            }
        }
    }

    @Test func `counts each channel's numbers from 1`() {
        play(
            4,
            [
                .publish(mayTryRefused: true, wentOut: [0, 1, 2, 3]),
                .confirm(2, channel: 0, multiple: true), .settled(unroutable: nil),
                .confirm(3, channel: 1, multiple: true), .settled(unroutable: nil),
                .confirm(2, channel: 1, multiple: true), .settled(unroutable: []),
            ])
    }

    @Test func `holds back what is new on every channel while one has refused something`() {
        play(
            6,
            [
                .publish(mayTryRefused: true, wentOut: [0, 1, 2, 3, 4, 5]),
                .refuse(3, channel: 0, multiple: true), .refuse(2, channel: 1, multiple: false),
                .publish(mayTryRefused: false, wentOut: []),
                .publish(mayTryRefused: true, wentOut: [0, 2, 3, 4]),
                .confirm(6, channel: 0, multiple: true), .confirm(4, channel: 1, multiple: true),
                .settled(unroutable: []),
            ])
    }

    @Test func `takes a return for an outcome of its own channel`() {
        play(
            4,
            [
                .publish(mayTryRefused: true, wentOut: [0, 1, 2, 3]),
                .returned(2, channel: 1), .returned(3, channel: 1),
                .confirm(2, channel: 1, multiple: true), .confirm(2, channel: 0, multiple: true),
                .settled(unroutable: [3]),
            ])
    }

    @Test func `publishes what is unconfirmed again, in order, on a connection with fewer channels`() {
        play(
            5,
            [
                .publish(mayTryRefused: true, wentOut: [0, 1, 2, 3, 4]),
                .confirm(1, channel: 1, multiple: false), .refuse(2, channel: 0, multiple: false),
                .connected(channels: 1),
                .publish(mayTryRefused: false, wentOut: [0, 2, 3, 4]),
                .confirm(4, channel: 0, multiple: true), .settled(unroutable: []),
            ])
    }

    /// Forty outcomes a batch of four widgets, and a broker that confirms, refuses, returns and hangs up as it likes.
    @Test(arguments: 0..<50) func `sends each widget's outcomes in rising order, whatever the broker answers`(seed: Int)
    {
        var random = SeededRandom(seed: UInt64(seed))
        var ledger = ConfirmLedger()
        var channels = 2
        ledger.connected(channels: channels)
        for number in 0..<5 { ledger.add(number: Int64(number), count: 40) }
        // By channel what was published under each number; the newest outcome, and what is to go out again.
        var published: [[Position]] = Array(repeating: [], count: channels)
        var settledUpTo = Array(repeating: 0, count: channels)
        var newest: [Int: Position] = [:]
        var refused: Set<Int> = []
        var settled: [Int64] = []
        for step in 0..<20_000 where settled.count < 5 {
            // The last steps are an obliging broker's.
            let fate = step < 2_000 ? Int.random(in: 0..<100, using: &random) : 50
            if fate < 1 {
                channels = Int.random(in: 1...3, using: &random)
                ledger.connected(channels: channels)
                published = Array(repeating: [], count: channels)
                settledUpTo = Array(repeating: 0, count: channels)
                newest = [:]
                refused = []
            }
            for _ in 0..<Int.random(in: 0...9, using: &random) {
                guard let position = ledger.next(mayTryRefused: true) else { break }
                let widget = position.outcome % 4
                let place = position.batch * 40 + position.outcome
                if let oldest = refused.min() {
                    #expect(place == oldest, "step \(step)")
                    refused.remove(place)
                } else {
                    #expect(newest[widget].map { $0 < position } ?? true, "step \(step)")
                    newest[widget] = position
                }
                ledger.published(position, channel: widget % channels)
                published[widget % channels].append(position)
            }
            let channel = Int.random(in: 0..<channels, using: &random)
            guard settledUpTo[channel] < published[channel].count else { continue }
            let last = Int.random(in: settledUpTo[channel]..<published[channel].count, using: &random)
            if fate < 20 {
                for position in published[channel][settledUpTo[channel]...last] {
                    refused.insert(position.batch * 40 + position.outcome)
                }
            }
            ledger.confirm(UInt64(last + 1), channel: channel, multiple: true, positive: fate >= 20)
            settledUpTo[channel] = last + 1
            settled += ledger.takeSettled().map(\.batch)
        }
        #expect(settled == [0, 1, 2, 3, 4])
        #expect(ledger.inFlight == 0)
    }
}
