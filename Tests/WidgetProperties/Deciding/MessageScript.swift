import WidgetWorker

/// Messages as a text that a person can write and random changes seldom spoil: a line each, letters for the envelope,
/// a space, the body. A letter without a meaning means nothing; without letters it is a patch of `acme.pages`.
struct MessageScript {
    /// More would only make one input slow.
    private static let mostMessages = 40

    let messages: [Delivery]

    init(_ text: [UInt8]) {
        var messages: [Delivery] = []
        for line in text.split(separator: 0x0A).prefix(Self.mostMessages) {
            let letters = line.prefix { $0 != 0x20 }
            var message = Message()
            message.exchange = "widgets.updates"
            message.routingKey = "acme.pages"
            message.body = Array(line.dropFirst(letters.count + 1))
            for letter in letters { Self.set(Unicode.Scalar(letter), of: &message, at: messages.count) }
            messages.append(Delivery(message, redelivered: letters.contains(UInt8(ascii: "y"))))
        }
        self.messages = messages
    }

    private static func set(_ letter: Unicode.Scalar, of message: inout Message, at place: Int) {
        switch letter {
        case "c": message.type = "widget.create"
        case "p": message.type = "widget.patch"
        case "d": message.type = "widget.delete"
        case "u": message.type = "widget.unknown"
        case "0"..."9": message.messageID = Array("id-\(letter)".utf8)
        case "l": message.messageID = Array(repeating: 0x78, count: 300)
        case "i": message.messageID = [0xFF, 0x22]
        case "r":
            message.replyTo = "replies"
            message.correlationID = Array("correlation".utf8)
        case "o": message.routingKey = "acme.other"
        case "z": message.routingKey = "zeta.pages"
        case "b": message.routingKey = "acme.pages.third"
        case "n": message.routingKey = "acme.\u{E9}"
        case "k":
            message.exchange = ""
            message.routingKey = "widgets.updates"
        case "a": message.accountHeader = "acme"
        case "s": message.sequence = Int64(place)
        case "t": message.traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        case "j": message.contentType = "Application/Merge-Patch+JSON; charset=utf-8"
        case "x": message.contentType = "text/plain"
        case "g": message.contentEncoding = "gzip"
        case "e": message.contentEncoding = "br"
        case "w": message.droppedBodyBytes = 1
        default: break
        }
    }
}
