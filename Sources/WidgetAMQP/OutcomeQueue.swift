internal import WidgetWorker

/// The bytes of the batches that are not settled, and where in them each outcome starts.
struct OutcomeQueue {
    private struct Entry {
        let bytes: [UInt8]
        let offsets: [Int]
    }

    private var entries: [Entry] = []
    private var first = 0

    /// How many outcomes the batch has.
    mutating func add(_ batch: OutcomeBatch) -> Int {
        let bytes = batch.bytes
        var offsets: [Int] = []
        offsets.reserveCapacity(batch.count)
        var offset = 0
        while let length = OutcomeFields.length(in: bytes, at: offset) {
            offsets.append(offset)
            offset += length
        }
        entries.append(Entry(bytes: bytes, offsets: offsets))
        return offsets.count
    }

    /// Forgets the batches before `batch`.
    mutating func forget(before batch: Int) {
        guard batch > first else { return }
        entries.removeFirst(batch - first)
        first = batch
    }

    /// Lends the outcome's fields; its pointers are valid inside `body` only.
    func withFields<Result>(_ position: ConfirmLedger.Position, _ body: (borrowing OutcomeFields) -> Result) -> Result {
        let offset = entries[position.batch - first].offsets[position.outcome]
        return unsafe entries[position.batch - first].bytes.withUnsafeBufferPointer { bytes in
            unsafe body(OutcomeFields(bytes, at: offset))
        }
    }
}
