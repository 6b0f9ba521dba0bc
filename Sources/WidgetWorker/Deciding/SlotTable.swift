import WidgetContract

/// Finds slots of widgets by the digests of their addresses: open addressing, one word a place.
package struct SlotTable {
    /// 0 where nothing is; else the upper half of a digest above the slot's number plus 1.
    private var places: [UInt64] = Array(repeating: 0, count: 16)
    private var count = 0

    package init() {}

    private var mask: Int { places.count - 1 }

    private static func tag(_ digest: UInt64) -> UInt64 { digest >> 32 }
    private static func slot(_ place: UInt64) -> Int { Int(truncatingIfNeeded: place & 0xFFFF_FFFF) - 1 }
    private func home(_ tag: UInt64) -> Int { Int(truncatingIfNeeded: tag) & mask }

    /// The first slot with this digest's tag that is wanted.
    package func slot(of digest: UInt64, _ isWanted: (Int) -> Bool) -> Int? {
        let tag = Self.tag(digest)
        var index = home(tag)
        while places[index] != 0 {
            let place = places[index]
            if place >> 32 == tag, isWanted(Self.slot(place)) { return Self.slot(place) }
            index = (index + 1) & mask
        }
        return nil
    }

    package mutating func insert(_ slot: Int, _ digest: UInt64) {
        if count * 4 >= places.count * 3 { grow() }
        put(Self.tag(digest) << 32 | UInt64(slot + 1))
        count += 1
    }

    package mutating func remove(_ slot: Int, _ digest: UInt64) {
        var hole = index(of: slot, digest)
        var index = (hole + 1) & mask
        // What stands behind the hole moves up, unless it would stand before its home.
        while places[index] != 0 {
            let home = home(places[index] >> 32)
            if (index - home) & mask >= (index - hole) & mask {
                places[hole] = places[index]
                hole = index
            }
            index = (index + 1) & mask
        }
        places[hole] = 0
        count -= 1
    }

    /// The address of `slot` stands in another slot from now on.
    package mutating func move(_ slot: Int, to other: Int, _ digest: UInt64) {
        places[index(of: slot, digest)] = Self.tag(digest) << 32 | UInt64(other + 1)
    }

    /// - Precondition: the slot is there.
    private func index(of slot: Int, _ digest: UInt64) -> Int {
        var index = home(Self.tag(digest))
        while Self.slot(places[index]) != slot { index = (index + 1) & mask }
        return index
    }

    private mutating func put(_ place: UInt64) {
        var index = home(place >> 32)
        while places[index] != 0 { index = (index + 1) & mask }
        places[index] = place
    }

    private mutating func grow() {
        let old = places
        places = Array(repeating: 0, count: old.count * 2)
        for place in old where place != 0 { put(place) }
    }
}
