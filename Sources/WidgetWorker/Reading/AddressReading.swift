import WidgetContract
import WidgetJSON

/// What a message's envelope says of the widget's address, before its body is read.
struct AddressReading: ~Copyable {
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
        guard let (account, slug) = Self.words(of: message.routingKey) else {
            fault = Rejection(
                .addressMissing,
                "the routing key must be <account>.<slug>, two words, and is"
                    + " \"\(Self.shortened(message.routingKey))\"")
            return
        }
        self.account = account
        self.slug = slug
        if let header = message.accountHeader, !header.utf8.elementsEqual(account.utf8) {
            fault = Rejection(
                .addressConflict,
                "the header account says \"\(Self.shortened(header))\" and the routing key \"\(account)\"")
        }
    }

    /// The two words around a key's only dot.
    private static func words(of key: String) -> (account: String, slug: String)? {
        unsafe key.withBytes { bytes -> (account: String, slug: String)? in
            let dot = unsafe firstDot(in: bytes, from: 0)
            guard dot < bytes.count, unsafe firstDot(in: bytes, from: dot + 1) == bytes.count else { return nil }
            return unsafe (
                String(bytes: UnsafeRawBufferPointer(rebasing: bytes[..<dot])),
                String(bytes: UnsafeRawBufferPointer(rebasing: bytes[(dot + 1)...]))
            )
        }
    }

    private static func firstDot(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var index = start
        while index < bytes.count, unsafe bytes[index] != 0x2E { index &+= 1 }
        return index
    }

    static func shortened(_ text: String) -> String {
        text.unicodeScalars.count <= 200 ? text : String(text.unicodeScalars.prefix(200)) + "…"
    }
}
