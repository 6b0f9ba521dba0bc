import Testing
import WidgetContract
import WidgetTestSupport
import WidgetTime

@testable import WidgetWorker

struct `A redrive` {
    /// A rejection as the queue hands it out.
    private static func rejection(of message: Message, at desk: Desk = Desk()) throws -> Message {
        let sent = try desk.send(message).only(.rejected)
        var rejection = Message()
        rejection.type = sent[.type]
        rejection.messageID = sent[.messageID].map { Array($0.utf8) }
        rejection.traceparent = sent[.traceparent]
        rejection.tracestate = sent[.tracestate]
        rejection.body = Array(sent.outcome.body)
        return rejection
    }

    private static func decide(
        _ rejection: Message, _ selection: RedriveSelection = RedriveSelection()
    ) -> RedriveDecider.Decision {
        var decider = RedriveDecider(selection)
        return decider.decide(rejection)
    }

    private static func original(in rejection: Message) -> Message? {
        if case .send(_, let message) = decide(rejection) { message } else { nil }
    }

    private static func refusal(of rejection: Message) -> RedriveRefusal? {
        if case .refuse(_, let reason) = decide(rejection) { reason } else { nil }
    }

    private static func takes(_ rejection: Message, _ selection: RedriveSelection) -> Bool {
        if case .leave = decide(rejection, selection) { false } else { true }
    }

    private static func edited(_ rejection: Message, _ old: String, _ new: String) -> Message {
        var edited = rejection
        let parts = String(decoding: rejection.body, as: UTF8.self).split(
            separator: old, omittingEmptySubsequences: false)
        edited.body = Array(parts.joined(separator: new).utf8)
        return edited
    }

    @Test(arguments: [
        Message.sample(#"{"content":{"value":0.10,"label":"a/é\n😀"}}"#, id: "r-17", traceparent: "00-1-2-01"),
        .sample(#"{"name":1E2}"#, type: "widget.create"), .sample("{}", key: "not-two-words", type: "no such type"),
        .sample([0xFF, 0, 0x80], type: "widget.delete"), .sample("", type: "widget.delete"), .sample("", type: ""),
        .sample(#"{"a":1,"a":2}"#), .sample("[" * 32 + "]" * 32),
    ])
    func `sends the original as it came, byte for byte, under an id of its own`(_ message: Message) throws {
        let rejection = try Self.rejection(of: message)
        let original = try #require(Self.original(in: rejection))
        #expect(original.body == message.body)
        #expect(original.exchange == message.exchange && original.routingKey == message.routingKey)
        let type = message.type ?? ""
        #expect(original.type == (type.isEmpty ? "widget.patch" : type))
        #expect(original.messageID == Array("redrive:".utf8) + (rejection.messageID ?? []))
        #expect(original.traceparent == message.traceparent)
        #expect(original.accountHeader == nil)
    }

    @Test func `sends a packed body plain`() throws {
        let rejection = try Self.rejection(of: .sample(Gzip.stored(#"{"name":1}"#), encoding: "gzip"))
        let original = try #require(Self.original(in: rejection))
        #expect(original.body == Array(#"{"name":1}"#.utf8) && original.contentEncoding == nil)
    }

    @Test func `names the account where the routing key is a queue's name`() throws {
        let message = Message.sample(#"{"slug":"pages","name":"n"}"#, key: nil, account: "acme")
        let original = try #require(Self.original(in: Self.rejection(of: message)))
        #expect(original.exchange.isEmpty && original.routingKey == message.routingKey)
        #expect(original.accountHeader == "acme")
    }

    @Test func `applies what was too early, once however often it is sent`() throws {
        let desk = Desk()
        let rejection = try Self.rejection(of: .sample(#"{"content":{"value":1}}"#, id: "r-17"), at: desk)
        try desk.send(.create())
        let original = try #require(Self.original(in: rejection))
        #expect(try desk.send(original).word == "accepted")
        #expect(try desk.send(original).word == "duplicate")
        #expect(desk.stored()?.revision == 2)
    }

    @Test func `of an original that is refused again is another message`() throws {
        let desk = Desk()
        let first = try #require(try Self.original(in: Self.rejection(of: .sample("{}", id: "r-17"), at: desk)))
        let second = try #require(try Self.original(in: Self.rejection(of: first, at: desk)))
        #expect(first.messageID != second.messageID)
        try desk.send(.create())
        #expect(try desk.send(first).word == "duplicate")
        #expect(try desk.send(second).word == "accepted")
    }

    @Test func `has an id of at most 255 bytes, and another for another rejection`() throws {
        let ids = try ["a", "b"].map { end in
            let message = Message.sample("{}", id: "x" * 254 + end)
            return try #require(try Self.original(in: Self.rejection(of: message))?.messageID)
        }
        #expect(ids.allSatisfy { $0.count <= 255 })
        #expect(ids[0] != ids[1])
    }

    @Test func `refuses an original that was cut`() throws {
        for message in [
            Message.sample(#"{"name":"\#("x" * 70_000)"}"#), .sample([0xFF], dropped: 1), .sample("{'headers':1}"),
        ] {
            #expect(Self.refusal(of: try Self.rejection(of: message)) == .truncated)
        }
    }

    @Test(arguments: [#"{"A":"s3cret"}"#, #"["s3cret"]"#, "null", #"{"A":{"B":[1]}}"#])
    func `refuses an original that has lost the values of headers`(_ headers: String) throws {
        let message = Message.sample(#"{"content":{"tap_action":{"url":"app:x","headers":\#(headers)}}}"#)
        #expect(Self.refusal(of: try Self.rejection(of: message)) == .redacted)
    }

    @Test func `sends an original whose headers are empty, or that has the placeholder elsewhere`() throws {
        for body in [#"{"content":{"tap_action":{"url":"app:x","headers":{}}}}"#, #"{"name":"[redacted]"}"#] {
            #expect(try Self.original(in: Self.rejection(of: .sample(body)))?.body == Array(body.utf8))
        }
    }

    @Test func `refuses a stale sequence, which no rejection holds`() throws {
        let desk = Desk()
        try desk.send(.create())
        try desk.send(.sample("{}", sequence: 5))
        #expect(Self.refusal(of: try Self.rejection(of: .sample("{}", sequence: 4), at: desk)) == .sequenceStale)
    }

    @Test func `refuses what it cannot read or could not tell from a repeat`() throws {
        let rejection = try Self.rejection(of: .sample("{}"))
        var anonymous = rejection
        anonymous.messageID = nil
        #expect(Self.refusal(of: anonymous) == .withoutID)
        var cut = rejection
        cut.droppedBodyBytes = 1
        #expect(Self.refusal(of: cut) == .unreadable)
        for (old, new) in [
            (#""original":"#, #""or":"#), (#""body":"#, #""bo":"#), (#""routing_key":"#, #""key":"#), ("2026", "x"),
            ("{", ""),
        ] {
            #expect(Self.refusal(of: Self.edited(rejection, old, new)) == .unreadable, "\(old)")
        }
    }

    @Test func `takes rejections by code, account, slug and age, and leaves the others`() throws {
        let rejection = try Self.rejection(of: .sample("{}"))
        let now = Trial.moment(Vector.clock).milliseconds
        let meant = RedriveSelection(code: "widget.not_found", account: "acme", slug: "pages", since: now)
        #expect(Self.takes(rejection, meant))
        #expect(Self.takes(rejection, RedriveSelection()))
        for change in [
            { $0.code = "widget.invalid" }, { $0.account = "acm" }, { $0.slug = "page" }, { $0.since = now + 1 },
        ] as [(inout RedriveSelection) -> Void] {
            var other = meant
            change(&other)
            #expect(!Self.takes(rejection, other), "\(other)")
        }
    }

    @Test func `leaves what is no rejection`() throws {
        var other = try Self.rejection(of: .sample("{}"))
        for type in [nil, "", "widget.accepted", "widget.patch"] {
            other.type = type
            #expect(!Self.takes(other, RedriveSelection()))
        }
    }
}
