import WidgetContract

/// A widget's address as a member of sets and a field of hashes: account, NUL, slug. Sorted by their bytes, members are
/// in the order of account and slug.
enum Member {
    static func bytes(_ address: WidgetAddress) -> [UInt8] {
        Array(address.account.utf8) + [0] + Array(address.slug.utf8)
    }

    static func address(_ bytes: [UInt8]) throws(RedisFault) -> WidgetAddress {
        guard let border = bytes.firstIndex(of: 0) else {
            throw RedisFault(.damaged, "holds a widget's address without a border in it: was it changed by hand?")
        }
        return WidgetAddress(
            account: String(decoding: bytes[..<border], as: UTF8.self),
            slug: String(decoding: bytes[(border + 1)...], as: UTF8.self))
    }
}
