import WidgetContract

/// What a message's envelope says of the widget's address, before its body is read.
struct AddressReading {
    /// Both words of the routing key, or the account alone for a message through the default exchange.
    var account: String?
    var slug: String?
    var fault: Rejection?

    init(_ message: Message, defaultAccount: String) {
        guard !message.exchange.isEmpty else {
            account = message.accountHeader ?? defaultAccount
            slug = message.slug
            return
        }
        let key = message.routingKey
        guard let dot = key.utf8.firstIndex(of: 0x2E), !key.utf8[key.utf8.index(after: dot)...].contains(0x2E) else {
            fault = Rejection(
                .addressMissing,
                "the routing key must be <account>.<slug>, two words, and is \"\(Self.shortened(key))\"")
            return
        }
        account = String(key[..<dot])
        slug = String(key[key.utf8.index(after: dot)...])
        if let header = message.accountHeader, !header.utf8.elementsEqual(account?.utf8 ?? "".utf8) {
            fault = Rejection(
                .addressConflict,
                "the header account says \"\(Self.shortened(header))\" and the routing key \"\(account ?? "")\"")
        }
    }

    static func shortened(_ text: String) -> String {
        text.unicodeScalars.count <= 200 ? text : String(text.unicodeScalars.prefix(200)) + "…"
    }
}
