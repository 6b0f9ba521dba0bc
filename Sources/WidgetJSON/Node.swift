/// A value or a member name of a `Document`, packed into 64 bits.
///
/// From the low bit: kind 3 bits, escaped 1, extent 20, start 20, length 20. The reader's shim packs the same way.
public struct Node: Hashable, Sendable {
    public enum Kind: UInt64, Sendable {
        case null, `false`, `true`, number, string, array, object
    }

    /// No document is longer than this many bytes; offsets must fit their 20 bits.
    public static let longestDocument = (1 << 20) - 1

    public let bits: UInt64

    @inlinable public init(bits: UInt64) { self.bits = bits }

    @inlinable public init(kind: Kind, isEscaped: Bool = false, extent: Int = 1, start: Int, length: Int) {
        bits =
            kind.rawValue | (isEscaped ? 8 : 0) | UInt64(truncatingIfNeeded: extent) << 4
            | UInt64(truncatingIfNeeded: start) << 24 | UInt64(truncatingIfNeeded: length) << 44
    }

    @inlinable @inline(__always) public var kind: Kind { Kind(rawValue: bits & 7) ?? .null }

    /// A string whose text holds escapes.
    @inlinable @inline(__always) public var isEscaped: Bool { bits & 8 != 0 }

    /// How many nodes this value takes with everything below it.
    @inlinable @inline(__always) public var extent: Int { Int(bits >> 4 & 0xFFFFF) }

    /// Where the text begins in the document; a string's begins behind its quote.
    @inlinable @inline(__always) public var start: Int { Int(bits >> 24 & 0xFFFFF) }

    /// Bytes of text; a string's without its quotes.
    @inlinable @inline(__always) public var length: Int { Int(bits >> 44) }

    @inlinable @inline(__always) public var end: Int { start + length }

    /// The text's bounds with the quotes of a string.
    @inlinable @inline(__always) public var wholeText: Range<Int> {
        kind == .string ? (start - 1)..<(end + 1) : start..<end
    }

    /// The same node in a text where everything stands `distance` bytes later.
    @inlinable @inline(__always) func moved(by distance: Int) -> Node {
        Node(bits: bits &+ UInt64(bitPattern: Int64(distance)) << 24)
    }
}
