import WidgetContract
import WidgetJSON
import WidgetJSONParsing

/// A message as far as it can be read without knowing any state: its command and body, or what refuses it.
///
/// Faults are in three groups, by their place in PROTOCOL's order around the lookup of the message id.
struct MessageReading {
    /// As far as the message tells, also when it is refused.
    var account: String?
    var slug: String?
    var kind: CommandKind?
    /// Both, once the body was read and does not contradict them.
    var address: WidgetAddress?
    /// Nothing refuses it so far.
    var isWhole = false
    /// Where the cache has the widget, once that was looked up.
    var slot: Int?
    /// Size, content type and encoding, type: these decide before the id is looked up.
    var earlyFault: Rejection?
    /// Body required, malformed, address, account binding: these decide after it.
    var lateFault: Rejection?
    /// Of type, address and body bytes.
    var fingerprint = Fingerprint(high: 0, low: 0)
    /// The body was read as JSON into the document that came along.
    var hasDocument = false
    /// The body as it was inflated; `nil` when it was not packed.
    var inflated: [UInt8]?

    init() {}

    /// Becomes what an envelope says and nothing more, where it stands: a value of its own would be copied.
    mutating func begin(_ message: Message, _ envelope: borrowing AddressReading) {
        account = envelope.account
        slug = envelope.slug
        kind = ContentHeaders.kind(message.type)
        address = nil
        isWhole = false
        slot = nil
        if case .some = earlyFault { earlyFault = nil }
        if case .some = lateFault { lateFault = nil }
        fingerprint = Fingerprint(
            type: kind?.rawValue ?? message.type ?? "", account: envelope.account, slug: envelope.slug,
            body: message.body)
        hasDocument = false
        inflated = nil
    }

    /// What it asks for, once it is whole.
    func command(_ message: Message) -> Command? {
        guard let kind, let address else { return nil }
        return Command(kind: kind, address: address, sequence: message.sequence)
    }

    /// Looks its widget up.
    /// - Returns: whether it is cached.
    mutating func find(in cache: inout WidgetCache) -> Bool {
        slot =
            switch address {
            case .none: nil
            case .some(let address): cache.slot(of: address)
            }
        return slot != nil
    }

    /// The idempotency key, when the message has an id and is read far enough for it to count.
    func inboxKey(of message: Message) -> InboxKey? {
        guard let id = message.messageID, !id.isEmpty, earlyFault == nil else { return nil }
        return InboxKey(account: account ?? "_", messageID: id)
    }

    /// The body as a rejection may show it: nothing of one that stayed packed, since nobody can tell what is in it.
    func readableBody(of message: Message) -> [UInt8] {
        if let inflated { return inflated }
        return ContentHeaders.encoding(message.contentEncoding) == .identity ? message.body : []
    }
}

/// Reads messages, one after the other with the same memory.
struct MessageReader {
    let limits: MessageLimits
    let parser = DocumentReader()
    private let notes: any CrashNotes

    init(limits: MessageLimits, notes: any CrashNotes) {
        self.limits = limits
        self.notes = notes
    }

    /// - Parameters:
    ///   - reading: becomes what the message says.
    ///   - document: takes the body; `{}` for a deletion without one.
    func read(_ message: Message, into reading: inout MessageReading, _ document: DocumentBuffer) {
        let address = AddressReading(message, defaultAccount: limits.defaultAccount)
        reading.begin(message, address)
        notes.hold(.message(reading.fingerprint))
        if let fault = unpack(message, &reading) { reading.earlyFault = fault }
        readDocument(message, address, &reading, document)
        if case .none = reading.earlyFault, case .none = reading.lateFault { reading.isWhole = true }
    }

    /// Nothing but the envelope of a message that is not to be touched.
    func quarantine(_ message: Message) -> MessageReading {
        var reading = envelope(of: message)
        reading.earlyFault = Rejection(
            .quarantined,
            "the message was in hand at two crashes of the worker and is not tried again; send a corrected one, and"
                + " report the crash with the log of the worker")
        return reading
    }

    /// What a message is known by before it is read.
    func fingerprint(of message: Message) -> Fingerprint { envelope(of: message).fingerprint }

    private func envelope(of message: Message) -> MessageReading {
        var reading = MessageReading()
        reading.begin(message, AddressReading(message, defaultAccount: limits.defaultAccount))
        return reading
    }

    /// Size, content type, encoding and type; the inflated body, when it is packed.
    private func unpack(_ message: Message, _ reading: inout MessageReading) -> Rejection? {
        guard !message.isUnreadable else {
            return Rejection(.malformed, "the message's headers nest deeper than can be read")
        }
        guard message.droppedBodyBytes == 0, message.body.count <= limits.largestBody else {
            return tooLarge("\(message.body.count + message.droppedBodyBytes) bytes")
        }
        if let fault = ContentHeaders.fault(contentType: message.contentType) { return fault }
        guard let encoding = ContentHeaders.encoding(message.contentEncoding) else {
            return Rejection(
                .contentEncodingUnsupported,
                "content_encoding must be identity or gzip, and is"
                    + " \"\(AddressReading.shortened(message.contentEncoding ?? ""))\"")
        }
        if encoding == .gzip && !message.body.isEmpty {
            do throws(Inflate.Fault) {
                reading.inflated = try Inflate.gzip(message.body, limit: limits.largestBody)
            } catch {
                guard error == .damaged else { return tooLarge("more when inflated") }
                reading.lateFault = Rejection(.malformed, "the body is no whole gzip stream")
            }
        }
        guard reading.kind != nil else {
            let types = CommandKind.allCases.map(\.rawValue).joined(separator: ", ")
            return Rejection(
                .typeUnknown,
                "type must be one of \(types), and is \"\(AddressReading.shortened(message.type ?? ""))\"")
        }
        return nil
    }

    private func tooLarge(_ size: String) -> Rejection {
        Rejection(.tooLarge, "the body has \(size), and may have \(limits.largestBody) bytes")
    }

    /// The body as JSON. It is read for a message that is refused already, too: the rejection shows it.
    private func readDocument(
        _ message: Message, _ address: borrowing AddressReading, _ reading: inout MessageReading,
        _ document: DocumentBuffer
    ) {
        guard message.droppedBodyBytes == 0, message.body.count <= limits.largestBody, reading.lateFault == nil else {
            return
        }
        let bytes = reading.inflated ?? message.body
        if bytes.isEmpty {
            if reading.kind == .delete {
                document.clear()
                reading.hasDocument = true
                finishAddress(message, address, &reading, document.view)
            } else {
                reading.lateFault = Rejection(.bodyRequired, "a create or a patch needs a JSON object as its body")
            }
            return
        }
        do {
            try parser.read(bytes, into: document, depth: limits.deepest)
        } catch {
            reading.lateFault = Rejection(.malformed, "the body is not JSON by RFC 8259: \(error)")
            return
        }
        reading.hasDocument = true
        guard document.view[0].kind == .object else {
            reading.lateFault = Rejection(.malformed, "the body must be a JSON object")
            return
        }
        finishAddress(message, address, &reading, document.view)
    }

    /// The address with what the body says of it, then the account's binding.
    private func finishAddress(
        _ message: Message, _ address: borrowing AddressReading, _ reading: inout MessageReading,
        _ document: DocumentView
    ) {
        if let fault = address.fault {
            reading.lateFault = fault
            return
        }
        if let member = document.member("slug", of: 0), document[member].kind != .null,
            reading.slug.map({ !document.hasString(at: member, equalTo: $0) }) ?? true
        {
            guard let slug = document.string(at: member) else {
                reading.lateFault = Rejection.slugIsNoString(document, member)
                return
            }
            if let known = reading.slug, !known.utf8.elementsEqual(slug.utf8) {
                reading.lateFault = Rejection(
                    .addressConflict,
                    "the body says slug \"\(AddressReading.shortened(slug))\" and the routing key \"\(known)\"")
                return
            }
            reading.slug = slug
        }
        guard let slug = reading.slug else {
            reading.lateFault = Rejection(
                .addressMissing, "no slug: put it into the body, since the routing key has none")
            return
        }
        reading.address = WidgetAddress(account: reading.account ?? "", slug: slug)
        if limits.bindsAccountToUser, message.userID != reading.account {
            let user = message.userID.map { "user \"\($0)\"" } ?? "a message without user_id"
            reading.lateFault = Rejection(
                .accountForbidden, "account \"\(reading.account ?? "")\" is not open to \(user)")
        }
    }
}
