/// Where the entry of each id of a generation is: a hash table with open addressing, 16 bytes a slot.
///
/// A hash stands for its id: two ids of one hash, one pair in 2⁶⁴, would share a slot, and the newer be found.
struct InboxIndex {
    struct Place {
        /// Among the rows of the generation.
        var row: UInt32
        /// Among the entries of the row.
        var position: UInt32
    }

    private struct Slot {
        /// 0 for a free slot.
        var hash: UInt64 = 0
        var place = Place(row: 0, position: 0)
    }

    private var slots: [Slot]
    private(set) var count = 0

    /// - Parameter expected: for so many ids there is room from the start.
    init(expecting expected: Int) {
        var capacity = 64
        while capacity * 3 < expected * 4 { capacity *= 2 }
        slots = Array(repeating: Slot(), count: capacity)
    }

    /// The place put last under the hash.
    func place(of hash: UInt64) -> Place? {
        let slot = slots[slot(of: hash)]
        return slot.hash == 0 ? nil : slot.place
    }

    mutating func put(_ hash: UInt64, at place: Place) {
        // Three quarters full: a search looks at two to four slots beside each other.
        if (count + 1) * 4 > slots.count * 3 { grow() }
        let slot = slot(of: hash)
        if slots[slot].hash == 0 { count += 1 }
        slots[slot] = Slot(hash: Self.told(hash), place: place)
    }

    /// The slot that holds the hash, else the free one where it would be.
    private func slot(of hash: UInt64) -> Int {
        let hash = Self.told(hash)
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot].hash != 0 && slots[slot].hash != hash { slot = (slot + 1) & (slots.count - 1) }
        return slot
    }

    /// A hash that no free slot has.
    private static func told(_ hash: UInt64) -> UInt64 { hash == 0 ? 1 : hash }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: Slot(), count: old.count * 2)
        for entry in old where entry.hash != 0 { slots[slot(of: entry.hash)] = entry }
    }
}
