public import WidgetJSON

/// Where a widget lives: its account and its slug in that account. Addresses are equal when their bytes are.
public struct WidgetAddress: Sendable {
    public let account: String
    public let slug: String
    /// A hash of both, so that tables need not read them again; another one in each process.
    public let digest: UInt64

    public init(account: String, slug: String) {
        self.account = account
        self.slug = slug
        var mixer = AddressMixer()
        mixer.add(account)
        mixer.add(slug)
        digest = mixer.digest
    }
}

extension WidgetAddress {
    /// Lends the bytes of both, which stand in many places of an outcome.
    @inlinable public func withBytes(
        _ body: (_ account: UnsafeRawBufferPointer, _ slug: UnsafeRawBufferPointer) -> Void
    ) {
        unsafe account.withBytes { account in unsafe slug.withBytes { unsafe body(account, $0) } }
    }
}

extension WidgetAddress: Hashable {
    /// Texts that are equal in Swift and differ in bytes, as a composed and a decomposed é, differ in their digests.
    public static func == (left: WidgetAddress, right: WidgetAddress) -> Bool {
        left.digest == right.digest && left.slug == right.slug && left.account == right.account
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(digest)
    }
}

/// A hash by multiplying and folding, from a random start: nobody outside can choose addresses that collide.
private struct AddressMixer {
    private static let seed = UInt64.random(in: 0...UInt64.max)
    private static let factor: UInt64 = 0xA076_1D64_78BD_642F

    private let seed = Self.seed
    private(set) var digest = Self.seed

    @inline(__always) mutating func add(_ text: String) {
        unsafe text.withBytes { bytes in
            var offset = 0
            while offset + 8 <= bytes.count {
                unsafe add(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                offset += 8
            }
            var rest: UInt64 = 0
            while offset < bytes.count {
                rest = unsafe rest << 8 ^ UInt64(bytes[offset])
                offset += 1
            }
            add(rest)
            add(UInt64(bytes.count))
        }
    }

    @inline(__always) private mutating func add(_ word: UInt64) {
        let product = (digest ^ word).multipliedFullWidth(by: Self.factor)
        digest = product.high ^ product.low ^ seed
    }
}
