import Testing
import WidgetContract
import WidgetJSON
import WidgetTestSupport
import WidgetTime

struct `Changed members` {
    private static let stored =
        #"{"name":"n","content":{"template":"value","value":0,"label":"l","points":[1,2],"#
        + #""tap_action":{"url":"app:x","title":"t"}},"stale_after":900}"#

    @Test(
        arguments: [
            ("nothing", "{}", []), ("the slug", #"{"slug":"pages"}"#, []),
            ("unknown nulls", #"{"zz":null,"content":{"zz":null}}"#, []),
            ("an empty content", #"{"content":{}}"#, []),
            ("the same", #"{"name":"n","content":{"value":0,"points":[1,2]},"stale_after":900}"#, []),
            ("the same values in other words", #"{"content":{"value":-0.0,"points":[1.0,2e0]},"stale_after":9e2}"#, []),
            ("the same object in another order", #"{"content":{"tap_action":{"title":"t","url":"app:x"}}}"#, []),
            ("a clearing of what is not there", #"{"push_throttle":null,"content":{"flow":null,"unit":null}}"#, []),
            ("a value", #"{"content":{"value":1}}"#, ["/content/value"]),
            ("a value that a double cannot tell apart", #"{"content":{"value":1e-400}}"#, ["/content/value"]),
            ("a cleared member", #"{"content":{"label":null}}"#, ["/content/label"]),
            ("a new member", #"{"content":{"unit":""}}"#, ["/content/unit"]),
            ("below an object", #"{"content":{"tap_action":{"title":"u"}}}"#, ["/content/tap_action"]),
            ("an array in another order", #"{"content":{"points":[2,1]}}"#, ["/content/points"]),
            (
                "members of the widget", #"{"stale_after":null,"push_throttle":1,"name":"m"}"#,
                ["/name", "/push_throttle", "/stale_after"]
            ),
            ("a text in another composition", #"{"name":"é","content":{"label":"l"}}"#, ["/name"]),
            (
                "all at once", #"{"name":"m","content":{"value":null,"label":"","template":"status"}}"#,
                ["/name", "/content/template", "/content/label", "/content/value"]
            ),
        ] as [(String, String, [String])])
    func `of a patch are those whose value differs`(_ name: String, _ patch: String, _ changed: [String]) throws {
        let accepted = try Trial.accept(.patch, patch, on: Trial.widget(Self.stored))
        #expect(accepted.changes == changed)
        #expect(accepted.widget.revision == 2)
        #expect(accepted.widget.updatedAt == Trial.moment(Vector.clock).milliseconds)
    }

    @Test func `count by value, and the newest text is what is stored`() throws {
        let accepted = try Trial.accept(
            .patch, #"{"content":{"value":0.0,"points":[1E0,2]}}"#, on: Trial.widget(Self.stored))
        #expect(accepted.changes == [])
        #expect(accepted.json?.contains(#""value":0.0,"label":"l","points":[1E0,2]"#) == true)
    }

    @Test(.row(30)) func `tell a composed from a decomposed text`() throws {
        let widget = try Trial.widget("{\"name\":\"\u{E9}\",\"content\":{\"template\":\"value\"}}")
        #expect(try Trial.accept(.patch, "{\"name\":\"e\u{301}\"}", on: widget).changes == ["/name"])
    }

    @Test func `of a first create are all it sets`() throws {
        let body =
            #"{"slug":"pages","name":"n","push_throttle":5,"content":{"value":1,"template":"value","label":null}}"#
        let accepted = try Trial.accept(.create, body)
        #expect(accepted.changes == ["/name", "/push_throttle", "/content/template", "/content/value"])
        #expect(accepted.widget.revision == 1)
        #expect(accepted.json == #"{"name":"n","push_throttle":5,"content":{"value":1,"template":"value"}}"#)
    }

    @Test func `of a create over a widget are those that differ or are gone`() throws {
        let widget = try Trial.widget(Self.stored)
        let accepted = try Trial.accept(
            .create, #"{"name":"n","content":{"template":"value","value":0.0}}"#, on: widget)
        #expect(accepted.changes == ["/stale_after", "/content/label", "/content/points", "/content/tap_action"])
        #expect(accepted.json == #"{"name":"n","content":{"template":"value","value":0.0}}"#)
        #expect(accepted.widget.createdAt == 1_000)
        #expect(try Trial.accept(.create, Self.stored, on: widget).changes == [])
    }

    @Test func `of a create over a deleted widget are all it sets`() throws {
        var widget = try Trial.widget(Self.stored)
        widget.document = nil
        let accepted = try Trial.accept(.create, #"{"name":"n","content":{"template":"value","value":0}}"#, on: widget)
        #expect(accepted.changes == ["/name", "/content/template", "/content/value"])
        #expect(accepted.widget.revision == 2)
    }

    @Test func `never merge a create into what was there`() throws {
        let widget = try Trial.widget(
            #"{"name":"n","content":{"template":"value","tap_action":{"url":"app:x","title":"t"}}}"#)
        let body = #"{"name":"n","content":{"template":"value","tap_action":{"url":"app:y"}}}"#
        #expect(try Trial.accept(.create, body, on: widget).json == body)
    }
}

struct `Revisions and sequences` {
    @Test func `count on over a deletion`() throws {
        let created = try Trial.accept(.create, #"{"name":"n","content":{"template":"value"}}"#, sequence: 5).widget
        let deleted = try Trial.accept(.delete, "{}", on: created, clock: "2026-11-30T12:00:01Z", sequence: 6)
        #expect(deleted.widget.revision == 2)
        #expect(deleted.widget.document == nil)
        #expect(deleted.template == nil)
        #expect(deleted.changes == [])
        for kind in [CommandKind.patch, .delete] {
            #expect(try Trial.reject(kind, "{}", on: deleted.widget).code == .notFound)
            #expect(try Trial.reject(kind, "{}", on: deleted.widget, sequence: 6).code == .sequenceStale)
        }
        let body = #"{"name":"n","content":{"template":"value"}}"#
        #expect(try Trial.reject(.create, body, on: deleted.widget, sequence: 6).code == .sequenceStale)
        let again = try Trial.accept(.create, body, on: deleted.widget, sequence: 7).widget
        #expect(again.revision == 3)
        #expect(again.sequence == 7)
    }

    @Test(
        arguments: [
            (nil, nil, nil), (nil, 5, 5), (5, nil, 5), (5, 6, 6), (-5, -4, -4), (Int64.max - 1, Int64.max, Int64.max),
            (nil, Int64.min, Int64.min),
        ] as [(Int64?, Int64?, Int64?)])
    func `take a sequence that rises, or none`(_ last: Int64?, _ next: Int64?, _ kept: Int64?) throws {
        let widget = try Trial.widget(#"{"name":"n","content":{"template":"value"}}"#, sequence: last)
        for (kind, body) in [
            (CommandKind.patch, "{}"), (.create, #"{"name":"n","content":{"template":"value"}}"#), (.delete, "{}"),
        ] {
            #expect(try Trial.accept(kind, body, on: widget, sequence: next).widget.sequence == kept)
        }
    }

    @Test(arguments: [(5, 5), (5, 4), (0, -1), (Int64.min, Int64.min), (Int64.max, Int64.max)] as [(Int64, Int64)])
    func `refuse a sequence that does not rise`(_ last: Int64, _ next: Int64) throws {
        let widget = try Trial.widget(#"{"name":"n","content":{"template":"value"}}"#, sequence: last)
        for (kind, body) in [(CommandKind.patch, #"{"zz":1}"#), (.create, "{}"), (.delete, #"{"zz":1}"#)] {
            #expect(try Trial.reject(kind, body, on: widget, sequence: next).code == .sequenceStale)
        }
    }

    @Test func `are judged before the account's limit, and a known widget is not counted twice`() throws {
        let body = #"{"name":"n","content":{"template":"value"}}"#
        #expect(try Trial.reject(.create, body, isFull: true).code == .limitExceeded)
        #expect(try Trial.reject(.create, "{}", isFull: true).code == .widgetInvalid)
        let widget = try Trial.widget(body)
        guard case .accepted = try Trial.decide(.create, body, on: widget, isFull: true).0 else {
            Issue.record("an upsert needs no room")
            return
        }
        var deleted = widget
        deleted.document = nil
        #expect(try Trial.reject(.create, body, on: deleted, isFull: true).code == .limitExceeded)
    }
}
