/// What became of the publications of one call.
struct ClientConfirms {
    private var numbers: [UInt64: Int] = [:]
    private(set) var results: [AMQPClient.PublishResult] = []
    private var open: Set<Int> = []
    private var returned: String?
    private var newest: UInt64 = 0

    var isComplete: Bool { open.isEmpty }

    mutating func published(_ number: UInt64) {
        numbers[number] = results.count
        open.insert(results.count)
        results.append(.confirmed)
        newest = max(newest, number)
    }

    /// A return comes right before the confirm of its publication.
    mutating func returned(_ words: String) {
        returned = words
    }

    mutating func confirm(_ number: UInt64, multiple: Bool, positive: Bool) {
        let settled = multiple ? numbers.keys.filter { $0 <= number } : [number]
        for settledNumber in settled {
            guard let index = numbers.removeValue(forKey: settledNumber) else { continue }
            open.remove(index)
            if !positive { results[index] = .refused }
            if settledNumber == number, let returned { results[index] = .unroutable(returned) }
        }
        returned = nil
    }
}
