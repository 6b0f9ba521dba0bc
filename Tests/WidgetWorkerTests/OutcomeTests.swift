import Testing
import WidgetContract
import WidgetTestSupport

@testable import WidgetWorker

struct `The outcome of an accepted message` {
    private static let gauge = #"{"template":"gauge","value":0.10,"min_value":-0,"max_value":1E2}"#

    @Test func `tells the whole state`() throws {
        let body = #"{"slug":"pages","stale_after":900,"content":\#(Self.gauge),"name":"n\/","push_throttle":5.0}"#
        let desk = Desk()
        desk.clock = "2026-11-30T12:03:10.2509Z"
        let sent = try desk.send(
            .sample(body, type: "widget.create", traceparent: "00-a-b-01", tracestate: "k=v")
        ).only(.accepted)
        #expect(
            sent.body == #"{"account":"acme","slug":"pages","revision":1,"stale_after":900,"content":\#(Self.gauge),"#
                + #""name":"n/","push_throttle":5.0,"created_at":"2026-11-30T12:03:10.250Z","#
                + #""updated_at":"2026-11-30T12:03:10.250Z","changed":["/name","/push_throttle","/stale_after","#
                + #""/content/template","/content/value","/content/min_value","/content/max_value"]}"#)
        #expect(sent[.routingKey] == "acme.pages.gauge")
        #expect(sent[.type] == "widget.accepted")
        #expect(sent[.messageID] == "acme/pages@1")
        #expect(sent[.account] == "acme")
        #expect(sent[.slug] == "pages")
        #expect(sent[.template] == "gauge")
        #expect(sent[.minAppVersion] == nil)
        #expect(sent[.traceparent] == "00-a-b-01")
        #expect(sent[.tracestate] == "k=v")
        #expect(sent[.code] == nil)
        #expect(sent[.correlationID] == nil)
        #expect(sent.outcome.revision == 1)
        #expect(sent.outcome.timestamp == 1_796_040_190)
    }

    @Test func `of a deletion tells that it is gone`() throws {
        let desk = Desk()
        try desk.send(.create())
        desk.clock = "2026-11-30T12:03:10.250Z"
        let sent = try desk.send(.delete()).only(.accepted)
        #expect(
            sent.body == #"{"account":"acme","slug":"pages","revision":2,"deleted":true,"#
                + #""updated_at":"2026-11-30T12:03:10.250Z"}"#)
        #expect(sent[.routingKey] == "acme.pages.deleted")
        #expect(sent[.type] == "widget.deleted")
        #expect(sent[.messageID] == "acme/pages@2")
        #expect(sent[.template] == nil)
        #expect(sent[.minAppVersion] == nil)
        #expect(sent.outcome.revision == 2)
    }

    @Test(
        arguments: [
            (#"{"template":"status"}"#, nil), (#"{"template":"countdown","end_date":"2026-11-30T13:00:00Z"}"#, "1.6"),
            (#"{"template":"progress","start_date":"2026-11-30T12:00:00Z","end_date":"2026-11-30T13:00:00Z"}"#, "1.6"),
            (#"{"template":"status","subtitle_timer":{"date":"2026-11-30T13:00:00Z"}}"#, "1.6"),
        ] as [(String, String?)])
    func `says which build a device needs`(_ content: String, _ version: String?) throws {
        #expect(try Desk().send(.create(content)).only(.accepted)[.minAppVersion] == version)
    }

    @Test func `of a heartbeat goes out only for a widget that grows stale`() throws {
        let desk = Desk()
        try desk.send(.create())
        #expect(try desk.send(.sample("{}")).sent(.accepted).isEmpty)
        #expect(try desk.send(.sample(#"{"stale_after":60}"#)).sent(.accepted).count == 1)
        let heartbeat = try desk.send(.sample(#"{"slug":"pages"}"#)).only(.accepted)
        #expect(try heartbeat.value("/changed") == "[]")
        #expect(desk.stored()?.revision == 4)
    }

    @Test func `is a receipt, too, for who asked for one`() throws {
        let desk = Desk()
        try desk.send(.create())
        let receipt = try desk.send(
            .sample(#"{"content":{"label":"l"}}"#, id: "r-1", replyTo: "replies", correlationID: "c", traceparent: "t")
        ).only(.reply)
        #expect(
            receipt.body == #"{"outcome":"accepted","account":"acme","slug":"pages","revision":2,"#
                + #""updated_at":"2026-11-30T12:00:00.000Z","changed":["/content/label"]}"#)
        #expect(receipt[.routingKey] == "replies")
        #expect(receipt[.messageID] == "receipt:r-1")
        #expect(receipt[.correlationID] == "c")
        #expect(receipt[.traceparent] == "t")
        #expect(receipt[.account] == "acme" && receipt[.slug] == "pages")
        let other = try desk.send(.sample("{}", id: "r-2", replyTo: "replies")).only(.reply)
        #expect(other[.correlationID] == "r-2")
        let bare = try desk.send(.sample("{}", replyTo: "replies")).only(.reply)
        #expect(bare[.messageID] == nil)
        #expect(bare[.correlationID] == nil)
        #expect(try desk.send(.sample("{}")).sent(.reply).isEmpty)
        #expect(try desk.send(.sample("{}", replyTo: "")).sent(.reply).isEmpty)
        let deletion = try desk.send(.delete(replyTo: "replies")).only(.reply)
        #expect(
            deletion.body == #"{"outcome":"accepted","account":"acme","slug":"pages","revision":7,"#
                + #""updated_at":"2026-11-30T12:00:00.000Z"}"#)
    }

    @Test func `is the state after each message of a batch`() throws {
        let desk = Desk()
        let fates = try desk.decide([
            .create(), .sample(#"{"content":{"value":1}}"#), .create(key: "acme.other"),
            .sample(#"{"content":{"value":2}}"#),
            .delete(), .sample("{}"), .create(#"{"template":"status"}"#),
        ])
        #expect(
            fates.map { $0.sent(.accepted).first?[.messageID] } == [
                "acme/pages@1", "acme/pages@2", "acme/other@1", "acme/pages@3", "acme/pages@4", nil, "acme/pages@5",
            ])
        #expect(fates[5].word == "widget.not_found")
        #expect(desk.changes.widgets.map(\.address.slug) == ["pages", "other"])
        #expect(desk.document() == #"{"name":"n","content":{"template":"status"}}"#)
    }

    @Test func `counts what an account has, over deletions`() throws {
        var limits = MessageLimits()
        limits.mostWidgets = 2
        let desk = Desk(limits)
        let fates = try desk.decide([
            .create(key: "acme.a"), .create(key: "acme.b"), .create(key: "acme.c"), .create(key: "acme.a"),
            .delete(key: "acme.a"),
            .create(key: "acme.c"), .create(key: "acme.a"), .create(key: "other.a"),
        ])
        let full = "widget.limit_exceeded"
        #expect(
            fates.map(\.word) == ["accepted", "accepted", full, "accepted", "accepted", "accepted", full, "accepted"])
        desk.restart()
        #expect(try desk.send(.create(key: "acme.a")).word == full)
        #expect(try desk.send(.create(key: "acme.b")).word == "accepted")
    }
}

struct `The outcome of a rejected message` {
    @Test func `is the problem with all that it tells`() throws {
        let desk = Desk()
        try desk.send(.create(#"{"template":"progress","value":0.5}"#))
        desk.clock = "2026-11-30T12:03:10.250Z"
        let sent = try desk.send(
            .sample(#"{"content": {"value": 42}}"#, id: "r-17", traceparent: "t", tracestate: "s")
        ).only(.rejected)
        #expect(try sent.value("/type") == #""about:blank""#)
        #expect(try sent.value("/title") == #""Unprocessable Content""#)
        #expect(try sent.value("/status") == "422")
        #expect(try sent.value("/code") == #""widget.content_invalid""#)
        #expect(try sent.value("/errors/0/location") == #""/content/value""#)
        #expect(try sent.value("/errors/0/rule") == #""range""#)
        #expect(try sent.value("/errors/0/value") == "42")
        #expect(try sent.value("/errors/0/stored") == nil)
        #expect(try sent.value("/errors/1") == nil)
        #expect(try sent.value("/account") == #""acme""#)
        #expect(try sent.value("/slug") == #""pages""#)
        #expect(try sent.value("/message_id") == #""r-17""#)
        #expect(try sent.value("/received_at") == #""2026-11-30T12:03:10.250Z""#)
        #expect(
            try sent.value("/original")
                == #"{"type":"widget.patch","exchange":"widgets.updates","routing_key":"acme.pages","#
                + #""body":{"content":{"value":42}}}"#
        )
        #expect(sent[.routingKey] == "acme.pages.widget.content_invalid")
        #expect(sent[.type] == "widget.rejected")
        #expect(sent[.messageID] == "rejected:r-17")
        #expect(sent[.account] == "acme")
        #expect(sent[.slug] == "pages")
        #expect(sent[.code] == "widget.content_invalid")
        #expect(sent[.traceparent] == "t")
        #expect(sent[.tracestate] == "s")
        #expect(sent.outcome.revision == nil)
    }

    @Test(arguments: [
        ("acme.a?b", "acme._.widget.invalid"), ("a b.pages", "_.pages.widget.invalid"), ("?.?", "_._.widget.invalid"),
        ("nothing", "_._.message.address_missing"), ("", "_._.message.address_missing"),
        ("acme.", "acme._.widget.invalid"),
        ("acme.\("a" * 129)", "acme._.widget.invalid"),
    ])
    func `puts _ for what is no legal word`(_ key: String, _ routingKey: String) throws {
        let sent = try Desk().send(
            .sample(#"{"name":"n","content":{"template":"value"}}"#, key: key, type: "widget.create")
        ).only(.rejected)
        #expect(sent[.routingKey] == routingKey)
        let words = routingKey.split(separator: ".")
        #expect(sent[.account] == (words[0] == "_" ? nil : String(words[0])))
        #expect(sent[.slug] == (words[1] == "_" ? nil : String(words[1])))
    }

    @Test func `knows the slug that only the body tells`() throws {
        let sent = try Desk().send(.sample(#"{"slug":"pages"}"#, key: nil, account: "acme")).only(.rejected)
        #expect(sent[.routingKey] == "acme.pages.widget.not_found")
        let unread = try Desk().send(.sample("{", key: nil)).only(.rejected)
        #expect(unread[.routingKey] == "default._.message.malformed")
        #expect(try unread.value("/slug") == nil)
        #expect(try unread.value("/original/routing_key") == #""widgets.updates""#)
        #expect(try unread.value("/original/exchange") == #""""#)
    }

    @Test func `goes to the sender, too, without the original`() throws {
        let fate = try Desk().send(.sample("{}", id: "r-1", replyTo: "replies"))
        let rejection = try fate.only(.rejected).body
        let receipt = try fate.only(.reply)
        let start = try #require(rejection.firstRange(of: #","original":"#)).lowerBound
        #expect(receipt.body == #"{"outcome":"rejected","# + rejection[..<start].dropFirst() + "}")
        #expect(receipt[.messageID] == "receipt:r-1")
    }

    @Test(arguments: [1, 200, 244, 245, 246, 247, 248, 254, 255])
    func `has an id of at most 255 bytes, of its own for each message`(_ length: Int) throws {
        let desk = Desk()
        let ids = ["a", "b"].map { "x" * (length - 1) + $0 }
        var seen: Set<String> = []
        for id in ids {
            for body in ["{", "[", "]"] {
                let fate = try desk.send(.sample(body, id: id, replyTo: "replies"))
                let sent = try fate.only(.rejected)
                let outbound = try #require(sent[.messageID])
                #expect(outbound.utf8.count <= 255)
                #expect(outbound.hasPrefix("rejected:x") || length == 1)
                if body == "{" && length <= 246 { #expect(outbound == "rejected:\(id)") }
                #expect(seen.insert(outbound).inserted)
                let receipt = try #require(try fate.only(.reply)[.messageID])
                #expect(receipt.utf8.count <= 255)
                #expect(try sent.value("/message_id") == "\"\(id)\"")
            }
        }
    }

    @Test func `has a status and title for every code`() {
        let statuses = RejectionCode.allCases.map { "\($0.rawValue) \($0.status)" }.sorted()
        #expect(
            statuses == [
                "account.forbidden 403", "message.address_conflict 400", "message.address_missing 400",
                "message.content_encoding_unsupported 415", "message.content_type_unsupported 415",
                "message.id_conflict 409",
                "message.malformed 400", "message.quarantined 500", "message.too_large 413", "message.type_unknown 400",
                "request.body_required 400", "widget.content_invalid 422", "widget.invalid 422",
                "widget.limit_exceeded 429",
                "widget.not_found 404", "widget.sequence_stale 409",
            ])
        #expect(RejectionCode.allCases.allSatisfy { !$0.title.isEmpty })
    }
}
