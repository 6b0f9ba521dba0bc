import WidgetAMQP
import WidgetURL

/// An address is shown so that it is read as the same place again, and nothing that is shown of an address, or said
/// against one, holds a part of its password.
public struct AddressProperty: InputProperty {
    /// Stands in every password that is made here, so that it can be looked for.
    private static let secret = "hush"

    public init() {}

    /// - Parameter input: an address; and, cut at its line feeds, the parts of one with a password.
    public mutating func check(_ input: [UInt8]) throws {
        let text = String(decoding: input, as: UTF8.self)
        if let address = try? AMQPAddress(text) { try checkAgain(address) }
        try checkList(text)
        try checkSecrecy(text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    }

    private func checkAgain(_ address: AMQPAddress) throws {
        let shown = address.description
        do {
            let again = try AMQPAddress(shown)
            try hold(
                (again.security == nil) == (address.security == nil) && Self.isSame(again.host, address.host)
                    && again.port == address.port
                    && Self.isSame(again.user, address.user)
                    && Self.isSame(again.virtualHost, address.virtualHost),
                "a shown address names the same place", "\(shown), then \(again)")
            try hold(
                Self.isSame(again.description, shown), "a shown address is shown as itself", "\(shown), then \(again)")
        } catch let error as URLError {
            throw BrokenProperty(description: "a shown address is one: \(shown), \(error)")
        }
        try hold(1...65535 ~= address.port && !address.host.isEmpty, "an address can be dialled", shown)
    }

    /// Equal texts of Swift may be different bytes.
    private static func isSame(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }

    private func checkList(_ text: String) throws {
        guard !text.utf8.contains(UInt8(ascii: ",")), !text.hasPrefix(" ") else { return }
        let one = try? AMQPAddress(text)
        try hold((try? AMQPAddress.list(text)) == one.map { [$0] }, "an address without a comma is a list of one")
    }

    /// User, password around the secret, and what follows the @.
    private func checkSecrecy(_ parts: [String]) throws {
        guard parts.count >= 4, !parts.contains(where: { $0.contains(Self.secret) }) else { return }
        let login = "\(parts[0]):\(parts[1])\(Self.secret)\(parts[2])@\(parts[3])"
        // With a scheme for its user, a login alone says something else: in amqp://a@b, the user is a.
        let isLogin = !["amqp", "amqps"].contains(parts[0].lowercased())
        for text in ["amqp://\(login)", "amqps://\(login)"] + (isLogin ? [login] : []) {
            let shown: String
            do {
                let address = try AMQPAddress(text)
                shown = "\(address) \(String(reflecting: address)) \(Mirror(reflecting: address).children)"
            } catch {
                shown = error.description
            }
            // By bytes: a combining mark would make another character of the last letter.
            try hold(
                shown.utf8.firstRange(of: Self.secret.utf8) == nil, "no part of a password is shown",
                "\(text.debugDescription): \(shown.debugDescription)")
        }
    }
}
