/// A moment in UTC, exact to the nanosecond, for every year that RFC 3339 can write (0000 to 9999).
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Whole seconds since 1970-01-01T00:00:00Z; a day has 86 400 of them (POSIX).
    public var seconds: Int64
    /// 0 ..< 1 000 000 000, added to `seconds` also before 1970.
    public var nanoseconds: Int32

    public init(seconds: Int64, nanoseconds: Int32 = 0) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// From milliseconds since 1970, as stores keep it.
    public init(milliseconds: Int64) {
        let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        let borrow: Int64 = remainder < 0 ? 1 : 0
        seconds = quotient - borrow
        nanoseconds = Int32(remainder + borrow * 1000) * 1_000_000
    }

    /// Milliseconds since 1970, rounded down.
    public var milliseconds: Int64 { seconds * 1000 + Int64(nanoseconds / 1_000_000) }

    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }

    /// The moment so many whole seconds later.
    public func advanced(bySeconds count: Int64) -> Timestamp {
        Timestamp(seconds: seconds + count, nanoseconds: nanoseconds)
    }

    /// From nanoseconds since 1970; beyond the years that RFC 3339 can write it is their first or last moment.
    public init(nanosecondsSinceEpoch count: Int128) {
        let within = min(max(count, Self.earliest.nanosecondsSinceEpoch), Self.latest.nanosecondsSinceEpoch)
        let (quotient, remainder) = within.quotientAndRemainder(dividingBy: 1_000_000_000)
        let borrow: Int128 = remainder < 0 ? 1 : 0
        self.init(
            seconds: Int64(quotient - borrow), nanoseconds: Int32(remainder + borrow * 1_000_000_000))
    }

    public var nanosecondsSinceEpoch: Int128 { Int128(seconds) * 1_000_000_000 + Int128(nanoseconds) }

    /// 0000-01-01T00:00:00Z
    public static let earliest = Timestamp(seconds: -62_167_219_200)
    /// 9999-12-31T23:59:59.999999999Z
    public static let latest = Timestamp(seconds: 253_402_300_799, nanoseconds: 999_999_999)
}
