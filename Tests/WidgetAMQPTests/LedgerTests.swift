import Testing
import WidgetWorker

@testable import WidgetAMQP

struct `The confirm ledger` {
    private typealias Position = ConfirmLedger.Position

    /// A ledger with batches of these sizes, numbered from 10, of which everything that may be was published.
    private func ledger(_ sizes: [Int]) -> ConfirmLedger {
        var ledger = ConfirmLedger()
        for (index, size) in sizes.enumerated() {
            ledger.add(number: Int64(10 + index), count: size)
        }
        publishAll(&ledger)
        return ledger
    }

    @discardableResult
    private func publishAll(_ ledger: inout ConfirmLedger, mayTryRefused: Bool = true) -> [Position] {
        var published: [Position] = []
        while let position = ledger.next(mayTryRefused: mayTryRefused) {
            ledger.published(position, channel: 0)
            published.append(position)
        }
        return published
    }

    private func numbers(_ confirmations: [Confirmations]) -> [Int64] { confirmations.map(\.batch) }

    @Test func `publishes outcomes in order`() {
        var ledger = ConfirmLedger()
        ledger.add(number: 1, count: 2)
        ledger.add(number: 2, count: 1)
        #expect(
            publishAll(&ledger) == [
                Position(batch: 0, outcome: 0), Position(batch: 0, outcome: 1), Position(batch: 1, outcome: 0),
            ])
        #expect(ledger.inFlight == 3)
        #expect(ledger.next(mayTryRefused: true) == nil)
    }

    @Test func `a confirm that skips ahead settles everything below it`() {
        var ledger = ledger([2, 2])
        ledger.confirm(3, channel: 0, multiple: true, positive: true)
        #expect(numbers(ledger.takeSettled()) == [10])
        #expect(ledger.inFlight == 1)
        ledger.confirm(4, channel: 0, multiple: false, positive: true)
        #expect(numbers(ledger.takeSettled()) == [11])
    }

    @Test func `a single confirm settles nothing below it`() {
        var ledger = ledger([1, 1, 1])
        ledger.confirm(3, channel: 0, multiple: false, positive: true)
        ledger.confirm(2, channel: 0, multiple: false, positive: true)
        #expect(numbers(ledger.takeSettled()) == [])
        #expect(ledger.inFlight == 1)
        ledger.confirm(1, channel: 0, multiple: false, positive: true)
        #expect(numbers(ledger.takeSettled()) == [10, 11, 12])
    }

    @Test func `a confirm that comes twice, or for a number never used, changes nothing`() {
        var ledger = ledger([1, 1])
        ledger.confirm(1, channel: 0, multiple: false, positive: true)
        ledger.confirm(1, channel: 0, multiple: false, positive: true)
        ledger.confirm(1, channel: 0, multiple: true, positive: false)
        ledger.confirm(0, channel: 0, multiple: false, positive: true)
        ledger.confirm(99, channel: 0, multiple: false, positive: true)
        #expect(ledger.inFlight == 1)
        #expect(!ledger.hasRefused)
        #expect(numbers(ledger.takeSettled()) == [10])
    }

    @Test func `an empty batch is settled at once, yet not before earlier ones`() {
        var ledger = ledger([1, 0])
        #expect(numbers(ledger.takeSettled()) == [])
        ledger.confirm(1, channel: 0, multiple: false, positive: true)
        #expect(numbers(ledger.takeSettled()) == [10, 11])
        ledger.add(number: 12, count: 0)
        #expect(numbers(ledger.takeSettled()) == [12])
    }

    @Test func `a refused outcome goes out again before anything new, when the pause is over`() {
        var ledger = ledger([3])
        ledger.confirm(2, channel: 0, multiple: false, positive: false)
        ledger.add(number: 11, count: 1)
        #expect(ledger.hasRefused)
        #expect(ledger.next(mayTryRefused: false) == nil)
        #expect(publishAll(&ledger) == [Position(batch: 0, outcome: 1), Position(batch: 1, outcome: 0)])
        ledger.confirm(5, channel: 0, multiple: true, positive: true)
        #expect(numbers(ledger.takeSettled()) == [10, 11])
    }

    @Test func `a negative confirm of many sends all of them again, in order`() {
        var ledger = ledger([2, 1])
        ledger.confirm(3, channel: 0, multiple: true, positive: false)
        #expect(ledger.inFlight == 0)
        #expect(
            publishAll(&ledger) == [
                Position(batch: 0, outcome: 0), Position(batch: 0, outcome: 1), Position(batch: 1, outcome: 0),
            ])
        ledger.confirm(6, channel: 0, multiple: true, positive: true)
        #expect(numbers(ledger.takeSettled()) == [10, 11])
    }

    @Test func `an outcome that is refused again stays in front of those that still wait for their next try`() {
        var ledger = ledger([3])
        ledger.confirm(3, channel: 0, multiple: true, positive: false)
        // The socket takes the first one alone.
        if let position = ledger.next(mayTryRefused: true) { ledger.published(position, channel: 0) }
        ledger.confirm(4, channel: 0, multiple: false, positive: false)
        #expect(publishAll(&ledger).map(\.outcome) == [0, 1, 2])
    }

    @Test func `a returned outcome is unroutable once it is confirmed`() {
        var ledger = ledger([3])
        ledger.returned(channel: 0) { $0.outcome == 1 }
        #expect(numbers(ledger.takeSettled()) == [])
        ledger.confirm(3, channel: 0, multiple: true, positive: true)
        #expect(ledger.takeSettled().map(\.unroutable) == [[1]])
    }

    @Test func `two returns with one id are two outcomes`() {
        var ledger = ledger([3])
        ledger.returned(channel: 0) { $0.outcome != 1 }
        ledger.returned(channel: 0) { $0.outcome != 1 }
        ledger.returned(channel: 0) { $0.outcome != 1 }
        ledger.confirm(3, channel: 0, multiple: true, positive: true)
        #expect(ledger.takeSettled().map(\.unroutable) == [[0, 2]])
    }

    @Test func `after a loss everything unconfirmed goes out again, in order, under numbers from 1`() {
        var ledger = ledger([2, 2])
        ledger.confirm(2, channel: 0, multiple: false, positive: true)
        ledger.returned(channel: 0) { $0.batch == 1 }
        ledger.confirm(4, channel: 0, multiple: false, positive: false)
        ledger.connected(channels: 1)
        #expect(ledger.inFlight == 0)
        #expect(!ledger.hasRefused)
        #expect(
            publishAll(&ledger) == [
                Position(batch: 0, outcome: 0), Position(batch: 1, outcome: 0), Position(batch: 1, outcome: 1),
            ])
        ledger.confirm(3, channel: 0, multiple: true, positive: true)
        let settled = ledger.takeSettled()
        #expect(numbers(settled) == [10, 11])
        #expect(settled.map(\.unroutable) == [[], []])
    }

    @Test func `a loss in the middle of a batch starts it again`() {
        var ledger = ConfirmLedger()
        ledger.add(number: 1, count: 3)
        for _ in 0..<2 {
            if let position = ledger.next(mayTryRefused: true) { ledger.published(position, channel: 0) }
        }
        ledger.connected(channels: 1)
        #expect(publishAll(&ledger).map(\.outcome) == [0, 1, 2])
    }

    @Test func `what cannot be published counts as unroutable and holds nothing up`() {
        var ledger = ConfirmLedger()
        ledger.add(number: 1, count: 2)
        if let position = ledger.next(mayTryRefused: true) { ledger.unpublishable(position) }
        publishAll(&ledger)
        ledger.confirm(1, channel: 0, multiple: false, positive: true)
        #expect(ledger.takeSettled().map(\.unroutable) == [[0]])
    }

    @Test func `settles the same batches whatever the order of confirms`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let sizes = (0..<Int.random(in: 1...8, using: &random)).map { _ in Int.random(in: 0...40, using: &random) }
            var ledger = ledger(sizes)
            var settled: [Int64] = []
            for number in (1...max(1, sizes.reduce(0, +))).shuffled(using: &random) {
                ledger.confirm(UInt64(number), channel: 0, multiple: Bool.random(using: &random), positive: true)
                settled += numbers(ledger.takeSettled())
            }
            ledger.confirm(UInt64(sizes.reduce(0, +)), channel: 0, multiple: true, positive: true)
            settled += numbers(ledger.takeSettled())
            #expect(settled == (0..<sizes.count).map { Int64(10 + $0) })
            #expect(ledger.inFlight == 0)
        }
    }

    @Test func `keeps its account over many thousand numbers`() {
        var ledger = ConfirmLedger()
        var number: UInt64 = 0
        for batch in 0..<2_000 {
            ledger.add(number: Int64(batch), count: 10)
            number += UInt64(publishAll(&ledger).count)
            // One is always left open behind the others.
            ledger.confirm(number - 1, channel: 0, multiple: true, positive: true)
            #expect(numbers(ledger.takeSettled()) == (batch == 0 ? [] : [Int64(batch - 1)]))
        }
        #expect(ledger.inFlight == 1)
    }
}
