/// Addresses by the moment at which they are due, soonest first: a binary heap.
struct DueQueue<Item> {
    private var heap: [(dueAt: Int64, item: Item)] = []

    /// The soonest moment.
    var nextDue: Int64? { heap.first?.dueAt }

    mutating func add(_ item: Item, dueAt: Int64) {
        heap.append((dueAt, item))
        var place = heap.count - 1
        while place > 0, heap[place].dueAt < heap[(place - 1) / 2].dueAt {
            heap.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    /// Removes the soonest, when it is due at `now`.
    mutating func take(at now: Int64) -> (dueAt: Int64, item: Item)? {
        guard let first = heap.first, first.dueAt <= now else { return nil }
        let last = heap.removeLast()
        guard !heap.isEmpty else { return first }
        heap[0] = last
        var place = 0
        while true {
            var soonest = 2 * place + 1
            guard soonest < heap.count else { return first }
            if soonest + 1 < heap.count, heap[soonest + 1].dueAt < heap[soonest].dueAt { soonest += 1 }
            guard heap[soonest].dueAt < heap[place].dueAt else { return first }
            heap.swapAt(place, soonest)
            place = soonest
        }
    }
}
