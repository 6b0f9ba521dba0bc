internal import WidgetWorker

/// Keeps the account of what was published: which outcome of which batch has which publish number on which channel, what
/// the broker has confirmed, refused or returned, and which batches are settled. Takes events, knows no connection.
///
/// Outcomes leave it in one order for all channels: each channel's are in that order, too.
struct ConfirmLedger {
    /// An outcome: the batch's place in the order of all batches, and its own in the batch.
    struct Position: Comparable {
        var batch: Int
        var outcome: Int

        static func < (left: Position, right: Position) -> Bool {
            (left.batch, left.outcome) < (right.batch, right.outcome)
        }
    }

    private enum State: UInt8 {
        case waiting, inFlight, confirmed, refused
    }

    private struct Batch {
        let number: Int64
        var states: [State]
        var open: Int
        var returned: Set<Int> = []
    }

    /// The batches that are not settled, oldest first; the place of the first in the order of all.
    private var batches: [Batch] = []
    private var firstBatch = 0
    /// The next outcome that was never published on this connection.
    private var cursor = Position(batch: 0, outcome: 0)
    /// Refused by the broker, to be published again before anything else, oldest first.
    private var refused: [Position] = []
    /// What was published on each channel of this connection.
    private var channels = [PublishNumbers()]
    /// Outcomes that were published and not confirmed.
    private(set) var inFlight = 0

    /// Places of the unsettled batches in the order of all, for whoever keeps their bytes.
    var unsettled: Range<Int> { firstBatch..<(firstBatch + batches.count) }

    /// Whether outcomes wait for another try.
    var hasRefused: Bool { !refused.isEmpty }

    /// A batch of `count` outcomes, after all earlier ones.
    mutating func add(number: Int64, count: Int) {
        batches.append(Batch(number: number, states: Array(repeating: .waiting, count: count), open: count))
    }

    /// What is to be published next; `nil` when nothing is, or when refused outcomes hold back what comes after them.
    mutating func next(mayTryRefused: Bool) -> Position? {
        if let first = refused.first { return mayTryRefused ? first : nil }
        while cursor.batch < firstBatch + batches.count {
            let index = cursor.batch - firstBatch
            while cursor.outcome < batches[index].states.count {
                if batches[index].states[cursor.outcome] == .waiting { return cursor }
                cursor.outcome += 1
            }
            cursor = Position(batch: cursor.batch + 1, outcome: 0)
        }
        return nil
    }

    /// `position`, which `next` gave, was published under the channel's next number.
    mutating func published(_ position: Position, channel: Int) {
        leave(position)
        batches[position.batch - firstBatch].states[position.outcome] = .inFlight
        channels[channel].append(position)
        inFlight += 1
    }

    /// `position`, which `next` gave, cannot be published by any means: it counts as confirmed and unroutable.
    mutating func unpublishable(_ position: Position) {
        leave(position)
        batches[position.batch - firstBatch].states[position.outcome] = .confirmed
        batches[position.batch - firstBatch].returned.insert(position.outcome)
        batches[position.batch - firstBatch].open -= 1
    }

    private mutating func leave(_ position: Position) {
        if refused.first == position { refused.removeFirst() } else { cursor.outcome += 1 }
    }

    /// The broker's word on a channel's number, or on all up to it. Numbers that are unknown or settled change nothing.
    mutating func confirm(_ number: UInt64, channel: Int, multiple: Bool, positive: Bool) {
        for position in channels[channel].settle(number, multiple: multiple) { settle(position, positive) }
    }

    private mutating func settle(_ position: Position, _ positive: Bool) {
        inFlight -= 1
        let index = position.batch - firstBatch
        if positive {
            batches[index].states[position.outcome] = .confirmed
            batches[index].open -= 1
        } else {
            batches[index].states[position.outcome] = .refused
            batches[index].returned.remove(position.outcome)
            // Refused again before those behind it were tried again, it stays in front of them.
            let place = refused.lastIndex { $0 < position }.map { $0 + 1 } ?? 0
            refused.insert(position, at: place)
        }
    }

    /// No queue took an outcome that is in flight on the channel, the oldest one that `isIt`; its confirm is still to come.
    mutating func returned(channel: Int, _ isIt: (Position) -> Bool) {
        for position in channels[channel].open {
            guard !batches[position.batch - firstBatch].returned.contains(position.outcome), isIt(position)
            else { continue }
            batches[position.batch - firstBatch].returned.insert(position.outcome)
            return
        }
    }

    /// Another connection: everything unconfirmed is published again, in order, under numbers from 1.
    /// - Parameter channels: how many it has.
    mutating func connected(channels count: Int) {
        channels = Array(repeating: PublishNumbers(), count: count)
        inFlight = 0
        refused = []
        cursor = Position(batch: firstBatch, outcome: 0)
        for index in batches.indices {
            for outcome in batches[index].states.indices where batches[index].states[outcome] != .confirmed {
                batches[index].states[outcome] = .waiting
                batches[index].returned.remove(outcome)
            }
        }
    }

    /// The batches, from the oldest on, of which everything is confirmed; they are forgotten.
    mutating func takeSettled() -> [Confirmations] {
        var settled: [Confirmations] = []
        for batch in batches {
            guard batch.open == 0 else { break }
            settled.append(Confirmations(batch: batch.number, unroutable: batch.returned.sorted()))
        }
        batches.removeFirst(settled.count)
        firstBatch += settled.count
        if cursor.batch < firstBatch { cursor = Position(batch: firstBatch, outcome: 0) }
        return settled
    }
}
