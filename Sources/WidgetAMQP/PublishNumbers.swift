/// What the publish numbers of one channel stand for. The broker counts each channel's publications from 1.
struct PublishNumbers {
    /// What numbers from `firstNumber` on stand for; `nil` once settled.
    private var slots: [ConfirmLedger.Position?] = []
    private var firstSlot = 0
    private var firstNumber: UInt64 = 1

    /// What was published and is not settled, oldest first.
    var open: some Sequence<ConfirmLedger.Position> { slots[firstSlot...].lazy.compactMap(\.self) }

    /// `position` has the next number.
    mutating func append(_ position: ConfirmLedger.Position) { slots.append(position) }

    /// Settles a number, or all up to it.
    /// - Returns: what that settles, oldest first; nothing when the number is unknown or settled.
    mutating func settle(_ number: UInt64, multiple: Bool) -> [ConfirmLedger.Position] {
        let end = firstNumber + UInt64(slots.count - firstSlot)
        guard number >= firstNumber, number < end else {
            // A number far ahead with `multiple` would be a broker's mistake; below it is an old one.
            return []
        }
        let last = firstSlot + Int(number - firstNumber)
        let settled = (multiple ? firstSlot : last)...last
        defer {
            for slot in settled { slots[slot] = nil }
            forgetSettled()
        }
        return slots[settled].compactMap(\.self)
    }

    private mutating func forgetSettled() {
        while firstSlot < slots.count, slots[firstSlot] == nil {
            firstSlot += 1
            firstNumber += 1
        }
        if firstSlot == slots.count {
            slots.removeAll(keepingCapacity: true)
            firstSlot = 0
        } else if firstSlot > 4096, firstSlot > slots.count / 2 {
            slots.removeFirst(firstSlot)
            firstSlot = 0
        }
    }
}
