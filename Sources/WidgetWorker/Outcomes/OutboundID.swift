/// Outbound ids and routing keys.
enum OutboundID {
    /// A short string holds no more (AMQP 0-9-1 section 4.2.5.3).
    private static let longest = 255

    static func joined(_ words: String...) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(words.reduce(0) { $0 + $1.utf8.count })
        for word in words { bytes.append(contentsOf: word.utf8) }
        return bytes
    }

    /// Prefix, inbound id and suffix; of an id that leaves no room, the beginning and a hash of the whole.
    static func make(_ prefix: String, _ id: [UInt8], suffix: String = "") -> [UInt8] {
        let room = longest - prefix.utf8.count - suffix.utf8.count
        guard id.count > room else { return Array(prefix.utf8) + id + Array(suffix.utf8) }
        let hash = Fingerprint(type: "", account: nil, slug: nil, body: id)
        let digits = "~" + String(hash.high, radix: 16) + "-" + String(hash.low, radix: 16)
        return Array(prefix.utf8) + id.prefix(room - digits.utf8.count) + Array((digits + suffix).utf8)
    }
}
