/// Reads a value's fields one behind the other, integers little-endian.
struct ValueReader {
    private var rest: ArraySlice<UInt8>
    /// For errors.
    private let what: StaticString

    init(_ bytes: [UInt8], _ what: StaticString) {
        rest = bytes[...]
        self.what = what
    }

    mutating func integer<Number: FixedWidthInteger & BitwiseCopyable>(
        _ type: Number.Type = Number.self
    ) throws(RedisFault) -> Number {
        let bytes = try bytes(Number.bitWidth / 8)
        var number: Number = 0
        for byte in bytes.reversed() { number = number << 8 | Number(truncatingIfNeeded: byte) }
        return number
    }

    /// One that `absentNumber` stands for `nil` in.
    mutating func optionalInteger() throws(RedisFault) -> Int64? {
        let number: Int64 = try integer()
        return number == Self.absentNumber ? nil : number
    }

    mutating func bytes(_ count: Int) throws(RedisFault) -> ArraySlice<UInt8> {
        guard count <= rest.count else {
            throw RedisFault(.damaged, "holds \(what) whose length does not fit: was it changed by hand?")
        }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// A text behind its length (u32), `absentLength` for `nil`.
    mutating func optionalText() throws(RedisFault) -> String? {
        let length: UInt32 = try integer()
        guard length != Self.absentLength else { return nil }
        return String(decoding: try bytes(Int(length)), as: UTF8.self)
    }

    mutating func remainder() -> [UInt8] {
        defer { rest = [] }
        return Array(rest)
    }

    static let absentNumber = Int64.min
    static let absentLength = UInt32.max
}
