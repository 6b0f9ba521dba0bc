/// The bytes of a short name in three words: two names are the same when their keys are, and no byte is looked at alone.
struct NameKey: Equatable, BitwiseCopyable {
    /// Most bytes that three words cover.
    static let longest = 24

    private let length: Int
    private var first: UInt64 = 0
    private var middle: UInt64 = 0
    /// Overlaps the others in names that do not fill them.
    private var last: UInt64 = 0

    /// - Returns: `nil` for a name that is longer than `longest`.
    @inline(__always) init?(_ name: UnsafeRawBufferPointer) {
        length = name.count
        switch length {
        case 8...Self.longest:
            unsafe first = name.loadUnaligned(as: UInt64.self)
            if length > 16 { unsafe middle = name.loadUnaligned(fromByteOffset: 8, as: UInt64.self) }
            unsafe last = name.loadUnaligned(fromByteOffset: length - 8, as: UInt64.self)
        case 4...7:
            unsafe first = UInt64(name.loadUnaligned(as: UInt32.self))
            unsafe last = UInt64(name.loadUnaligned(fromByteOffset: length - 4, as: UInt32.self))
        case 1...3:
            unsafe first = UInt64(name[0]) | UInt64(name[length / 2]) << 8
            unsafe last = UInt64(name[length - 1])
        case 0: break
        default: return nil
        }
    }

    /// The same for letters of any case. It is meant for names of nothing but ASCII letters: the bit turns no other
    /// byte into one.
    var ignoringCase: NameKey {
        var key = self
        key.first |= Self.lowerCase
        key.last |= Self.lowerCase
        if length > 16 { key.middle |= Self.lowerCase }
        return key
    }

    private static let lowerCase: UInt64 = 0x2020_2020_2020_2020

    func hash(_ multiplier: UInt64) -> Int {
        let word = (first ^ (last &* 0x9E37_79B9_7F4A_7C15)) &+ UInt64(length)
        return Int((word &* multiplier) >> 56)
    }
}
