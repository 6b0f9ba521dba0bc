import Testing
import WidgetContract
import WidgetTestSupport

@testable import WidgetWorker

@Suite(.row(21)) struct `A message id` {
    private static func patch(_ value: Int, id: String?, key: String = "acme.pages", type: String? = nil) -> Message {
        .sample(#"{"content":{"value":\#(value)}}"#, key: key, type: type, id: id, replyTo: "replies")
    }

    private func desk() throws -> Desk {
        let desk = Desk()
        try desk.send(.create())
        return desk
    }

    @Test func `that comes again gives the first outcome, as a receipt alone, and changes nothing`() throws {
        let desk = try desk()
        let first = try desk.send(Self.patch(1, id: "r-1"))
        try desk.send(Self.patch(2, id: "r-2"))
        desk.clock = "2026-11-30T12:30:00Z"
        let again = try desk.send(Self.patch(1, id: "r-1"))
        #expect(again.word == "duplicate")
        #expect(again.sent(.accepted).isEmpty && again.sent(.rejected).isEmpty)
        let receipt = try first.only(.reply).body
        #expect(try again.only(.reply).body == receipt.dropLast() + #","duplicate":true}"#)
        #expect(desk.stored()?.revision == 3)
        #expect(desk.document()?.contains(#""value":2"#) == true)
        #expect(desk.changes.widgets.isEmpty && desk.changes.inbox.isEmpty)
    }

    @Test func `of a rejection gives the first problem again`() throws {
        let desk = try desk()
        let message = Message.sample(#"{"content":{"value":"x"}}"#, id: "r-1", replyTo: "replies")
        let first = try desk.send(message)
        desk.clock = "2026-11-30T12:30:00Z"
        let again = try desk.send(message)
        #expect(again.word == "duplicate")
        #expect(again.sent(.rejected).isEmpty)
        let receipt = try first.only(.reply).body
        #expect(try again.only(.reply).body == receipt.dropLast() + #","duplicate":true}"#)
        #expect(try again.only(.reply).value("/received_at") == #""2026-11-30T12:00:00.000Z""#)
    }

    @Test func `of a deletion gives its first outcome without changes`() throws {
        let desk = try desk()
        _ = try desk.send(.delete(id: "d", replyTo: "replies"))
        let again = try desk.send(.delete(id: "d", replyTo: "replies"))
        #expect(
            try again.only(.reply).body
                == #"{"outcome":"accepted","account":"acme","slug":"pages","revision":2,"#
                + #""updated_at":"2026-11-30T12:00:00.000Z","duplicate":true}"#)
    }

    @Test(arguments: [
        ("another body", patch(2, id: "r-1")),
        ("the same value in other bytes", .sample(#"{"content":{"value":1 }}"#, id: "r-1")),
        ("another type", patch(1, id: "r-1", type: "widget.create")),
        ("another slug", patch(1, id: "r-1", key: "acme.other")),
        ("no body", .sample("", id: "r-1")), ("a malformed body", .sample("{", id: "r-1")),
    ])
    func `is in conflict with anything else`(_ name: String, _ message: Message) throws {
        let desk = try desk()
        #expect(try desk.send(Self.patch(1, id: "r-1")).word == "accepted")
        let fate = try desk.send(message)
        #expect(fate.word == "message.id_conflict")
        #expect(try fate.only(.rejected)[.code] == "message.id_conflict")
        #expect(desk.stored()?.revision == 2)
        #expect(try desk.send(Self.patch(1, id: "r-1")).word == "duplicate")
    }

    @Test func `is the account's`() throws {
        let desk = try desk()
        try desk.send(.create(key: "other.pages", id: "r-1"))
        #expect(try desk.send(Self.patch(1, id: "r-1")).word == "accepted")
    }

    @Test func `is the same by its bytes alone`() throws {
        let desk = try desk()
        #expect(try desk.send(Self.patch(1, id: "\u{E9}")).word == "accepted")
        #expect(try desk.send(Self.patch(1, id: "e\u{301}")).word == "accepted")
        #expect(try desk.send(Self.patch(1, id: "E")).word == "accepted")
        #expect(try desk.send(Self.patch(1, id: "e")).word == "accepted")
    }

    @Test func `is recognised without a type that says the default`() throws {
        let desk = try desk()
        #expect(try desk.send(Self.patch(1, id: "r-1", type: nil)).word == "accepted")
        #expect(try desk.send(Self.patch(1, id: "r-1", type: "")).word == "duplicate")
        #expect(try desk.send(Self.patch(1, id: "r-1", type: "widget.patch")).word == "duplicate")
    }

    @Test func `is recognised inside one batch`() throws {
        let desk = try desk()
        let fates = try desk.decide([
            Self.patch(1, id: "r-1"), Self.patch(1, id: "r-1"), Self.patch(2, id: "r-1"), Self.patch(2, id: "r-2"),
            Self.patch(1, id: "r-1"), Self.patch(3, id: "r-1"),
        ])
        #expect(
            fates.map(\.word) == [
                "accepted", "duplicate", "message.id_conflict", "accepted", "duplicate", "message.id_conflict",
            ])
        #expect(desk.changes.inbox.map { String(decoding: $0.key.messageID, as: UTF8.self) } == ["r-1", "r-2"])
        #expect(desk.stored()?.revision == 3)
        #expect(fates.flatMap { $0.sent(.rejected) }.map { $0[.messageID] } == ["rejected:r-1", "rejected:r-1#2"])
    }

    @Test func `survives a restart`() throws {
        let desk = try desk()
        try desk.send(Self.patch(1, id: "r-1"))
        desk.restart()
        #expect(try desk.send(Self.patch(1, id: "r-1"), redelivered: true).word == "duplicate")
        #expect(try desk.send(Self.patch(2, id: "r-1")).word == "message.id_conflict")
    }

    @Test func `is looked up before the body is read, and after size, content type and type`() throws {
        let desk = try desk()
        for message in [
            Message.sample("{", id: "r-1", contentType: "text/plain"), .sample("{}", type: "widget.x", id: "r-1"),
            .sample("{}", id: "r-1", dropped: 1),
        ] {
            let fate = try desk.send(message)
            #expect(try fate.only(.rejected)[.messageID] == "rejected:r-1")
            #expect(try desk.send(message).word == fate.word)
        }
        #expect(try desk.send(.sample("{", id: "r-1")).word == "message.malformed")
        #expect(try desk.send(.sample("{", id: "r-1")).word == "duplicate")
    }
}

@Suite(.row(21)) struct `A message without an id` {
    private static func patch(_ value: Int) -> Message {
        .sample(#"{"content":{"value":\#(value)}}"#, replyTo: "replies")
    }

    private func desk() throws -> Desk {
        let desk = Desk()
        try desk.send(.create(id: "create"))
        return desk
    }

    @Test func `is decided as often as it is sent`() throws {
        let desk = try desk()
        _ = try desk.decide([Self.patch(1), Self.patch(1)])
        try desk.send(Self.patch(1))
        #expect(desk.stored()?.revision == 4)
    }

    @Test func `is not decided twice when it is handed out again`() throws {
        let desk = try desk()
        try desk.send(Self.patch(1))
        desk.reconnect()
        let again = try desk.send(Self.patch(1), redelivered: true)
        #expect(again.word == "decided before")
        #expect(again.outcomes.isEmpty)
        #expect(desk.stored()?.revision == 2)
        desk.restart()
        #expect(try desk.send(Self.patch(1), redelivered: true).word == "decided before")
        #expect(desk.stored()?.revision == 2)
    }

    @Test func `is decided when it is handed out again and never was`() throws {
        let desk = try desk()
        try desk.send(Self.patch(1))
        #expect(try desk.send(Self.patch(2), redelivered: true).word == "accepted")
    }

    @Test func `has its rejection once, too`() throws {
        let desk = try desk()
        for message in [
            Message.sample("{"), .sample("{}", type: "x"), .sample(#"{"name":1}"#), .sample("{}", key: "one"),
        ] {
            let first = try desk.send(message)
            #expect(try first.only(.rejected)[.messageID]?.wholeMatch(of: /rejected:[0-9a-f]{32}/) != nil)
            desk.reconnect()
            #expect(try desk.send(message, redelivered: true).word == "decided before")
        }
    }

    @Test func `of the same content as a decided one is still decided when both come back`() throws {
        let desk = try desk()
        try desk.send(Self.patch(1))
        desk.restart()
        let words = try [Self.patch(1), Self.patch(2), Self.patch(1)].map { try desk.send($0, redelivered: true).word }
        #expect(words == ["decided before", "accepted", "accepted"])
        #expect(desk.document()?.contains(#""value":1"#) == true)
    }

    @Test func `is told from an equal one by its neighbours with ids, decided or not`() throws {
        let second = Message.sample(#"{"content":{"value":2}}"#, id: "second")
        let third = Message.sample(#"{"content":{"value":3}}"#, id: "third")
        for returns in [[Self.patch(1), third], [Self.patch(1), Self.patch(1), third]] {
            let desk = try desk()
            _ = try desk.decide([Self.patch(1), second])
            desk.restart()
            let words = try desk.decide(returns, redelivered: true).map(\.word)
            #expect(words == returns.map { _ in "accepted" })
        }
        let desk = try desk()
        _ = try desk.decide([Self.patch(1), second])
        desk.restart()
        let words = try desk.decide([Self.patch(1), second, Self.patch(1), third], redelivered: true).map(\.word)
        #expect(words == ["decided before", "duplicate", "accepted", "accepted"])
    }

    @Test func `is decided once everything that was to come back has come`() throws {
        let desk = try desk()
        try desk.send(Self.patch(1))
        desk.reconnect()
        try desk.send(Self.patch(2))
        #expect(try desk.send(Self.patch(1), redelivered: true).word == "accepted")
    }

    @Test func `gets an id for its rejection that no other has`() throws {
        let desk = try desk()
        let ids = try (0..<50).map { _ in try desk.send(.sample("{")).only(.rejected)[.messageID] ?? "" }
        #expect(Set(ids).count == 50)
    }

    @Test func `is forgotten when the broker can no longer hand it out`() throws {
        let desk = try desk()
        try desk.send(Self.patch(1))
        var changes = StoreChanges(now: 0)
        changes.forgottenDeliveries = [1_000]
        _ = desk.store.commit(changes)
        desk.restart()
        #expect(try desk.send(Self.patch(1), redelivered: true).word == "accepted")
    }
}
