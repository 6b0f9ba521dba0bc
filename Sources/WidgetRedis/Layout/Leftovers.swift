import WidgetWorker

/// Reads what earlier commits left.
enum Leftovers {
    /// - Parameter reply: numbers, outcomes behind each.
    /// - Returns: oldest first.
    static func outcomes(_ reply: Reply) throws(RedisFault) -> [NumberedOutcomes] {
        var batches: [NumberedOutcomes] = []
        for (name, value) in try pairs(reply) {
            guard let number = Int64(String(decoding: name, as: UTF8.self)),
                let outcomes = try? OutcomeBatch(stored: value)
            else { throw RedisFault(.damaged, "holds damaged outcomes in its outbox: was it changed by hand?") }
            batches.append(NumberedOutcomes(number: number, outcomes: outcomes))
        }
        return batches.sorted { $0.number < $1.number }
    }

    /// - Parameter reply: members, a fan-out behind each.
    static func pushes(_ reply: Reply) throws(RedisFault) -> [PendingPush] {
        var pushes: [PendingPush] = []
        for (member, value) in try pairs(reply) {
            pushes.append(try PushValue.push(value, at: Member.address(member)))
        }
        return pushes
    }

    /// - Parameter reply: for each commit its number in 16 digits, then fingerprints of 16 bytes each.
    static func deliveries(_ reply: Reply) throws(RedisFault) -> [Fingerprint] {
        var fingerprints: [Fingerprint] = []
        for row in try reply.list() {
            let bytes = try row.bytes()
            var reader = ValueReader(bytes, "deliveries")
            _ = try reader.bytes(16)
            for _ in 1..<max(1, bytes.count / 16) {
                fingerprints.append(Fingerprint(high: try reader.integer(), low: try reader.integer()))
            }
        }
        return fingerprints
    }

    private static func pairs(_ reply: Reply) throws(RedisFault) -> [([UInt8], [UInt8])] {
        let elements = try reply.list()
        var pairs: [([UInt8], [UInt8])] = []
        for index in stride(from: 0, to: elements.count - 1, by: 2) {
            // An outbox entry may be gone while its owner is still noted.
            guard let value = try elements[index + 1].optionalBytes() else { continue }
            pairs.append((try elements[index].bytes(), value))
        }
        return pairs
    }
}
