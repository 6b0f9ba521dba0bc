/// Shards by number, as `--consume` has them: `0,2-3`, or `all`.
struct ShardList {
    /// Each once, in their order; `nil` for all.
    let numbers: [Int]?

    /// Each shard is a queue and a consumer of every worker.
    static let mostShards = 1_024

    /// `nil` when the text is none.
    init?(_ text: String) {
        guard text != "all" else {
            numbers = nil
            return
        }
        var found: Set<Int> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map(Self.number)
            guard ends.count <= 2, let first = ends[0], let last = ends[ends.count - 1], first <= last else {
                return nil
            }
            found.formUnion(first...last)
        }
        numbers = found.sorted()
    }

    /// Digits alone, below the most shards.
    private static func number(_ text: Substring) -> Int? {
        guard text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
        return Int(text).flatMap { $0 < mostShards ? $0 : nil }
    }

    /// The numbers as the option has them, such as `0,2-3`.
    static func text(_ numbers: [Int]) -> String {
        var ranges: [ClosedRange<Int>] = []
        for number in numbers {
            if let last = ranges.last, last.upperBound + 1 == number {
                ranges[ranges.count - 1] = last.lowerBound...number
            } else {
                ranges.append(number...number)
            }
        }
        return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
            .joined(separator: ",")
    }
}
