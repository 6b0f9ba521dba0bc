import WidgetJSON

/// Finds a member by its name's bytes: a hash without collisions over the names of one object.
struct MemberIndex: Sendable {
    private let names: [[UInt8]]
    private let slots: [Int8]
    private let multiplier: UInt32

    private static let longestName = 32

    /// - Precondition: at most 64 names, all different.
    init(_ names: [String]) {
        let names = names.map { Array($0.utf8) }
        self.names = names
        for multiplier in UInt32(1)...100_000 {
            var slots = [Int8](repeating: -1, count: 256)
            let isFree = names.indices.allSatisfy { position in
                let slot = Self.slot(names[position][...], multiplier)
                defer { slots[slot] = Int8(position) }
                return slots[slot] < 0
            }
            if isFree {
                self.slots = slots
                self.multiplier = multiplier
                return
            }
        }
        preconditionFailure("no multiplier separates the names")
    }

    private static func slot(_ name: ArraySlice<UInt8>, _ multiplier: UInt32) -> Int {
        var hash: UInt32 = 0
        for byte in name { hash = hash &* 31 &+ UInt32(byte) }
        return Int((hash &* multiplier) >> 24)
    }

    /// The position of the member named at `name` in a document; `nil` when the object has none of that name.
    func position(of name: Int, in document: Document) -> Int? {
        let node = document[name]
        guard node.length <= Self.longestName else { return nil }
        let start = node.start
        let slot = Self.slot(document.text[start..<node.end], multiplier)
        let candidate = Int(slots[slot])
        guard candidate >= 0 else { return nil }
        let wanted = names[candidate]
        guard wanted.count == node.length else { return nil }
        for index in wanted.indices where wanted[index] != document.text[start + index] { return nil }
        return candidate
    }
}
