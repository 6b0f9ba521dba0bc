import Testing
import WidgetContract
import WidgetTestSupport

@testable import WidgetWorker

struct `A message's address` {
    /// What a message says of its address, and where it leads: `account/slug`, or the code and faults.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let key: String?
        let account: String?
        let slug: String
        let expected: String

        init(_ name: String, key: String?, account: String? = nil, slug: String = "", _ expected: String) {
            testDescription = name
            self.key = key
            self.account = account
            self.slug = slug
            self.expected = expected
        }
    }

    static let rows: [Row] = [
        Row("a key", key: "acme.pages", "acme/pages"),
        Row("a key and the same slug", key: "acme.pages", slug: #""pages""#, "acme/pages"),
        Row("a key and the same slug in escapes", key: "acme.pages", slug: #""p\u0061ges""#, "acme/pages"),
        Row("a key and a null", key: "acme.pages", slug: "null", "acme/pages"),
        Row("a key and the same account", key: "acme.pages", account: "acme", "acme/pages"),
        Row("a key and another slug", key: "acme.pages", slug: #""Pages""#, "message.address_conflict"),
        Row("a key and an empty slug", key: "acme.pages", slug: #""""#, "message.address_conflict"),
        Row("a key and another account", key: "acme.pages", account: "Acme", "message.address_conflict"),
        Row("a key and an empty account", key: "acme.pages", account: "", "message.address_conflict"),
        Row("an empty key", key: "", "message.address_missing"),
        Row("one word", key: "pages", slug: #""pages""#, "message.address_missing"),
        Row("three words", key: "acme.pages.x", "message.address_missing"),
        Row("two words and a dot", key: "acme.pages.", "message.address_missing"),
        Row("an illegal slug", key: "acme.a?b", "widget.invalid pattern /slug"),
        Row("no slug behind the dot", key: "acme.", "widget.invalid pattern /slug"),
        Row("an illegal account", key: "a b.pages", "widget.invalid pattern /account"),
        Row("no account before the dot", key: ".pages", "widget.invalid pattern /account"),
        Row("an account of 65", key: "a" * 65 + ".pages", "widget.invalid pattern /account"),
        Row("a slug of 129", key: "acme." + "a" * 129, "widget.invalid pattern /slug"),
        Row("the longest of both", key: "a" * 64 + "." + "b" * 128, "a" * 64 + "/" + "b" * 128),
        Row(
            "a composed key and a decomposed slug", key: "acme.\u{E9}", slug: "\"e\u{301}\"", "message.address_conflict"
        ),
        Row("the default exchange", key: nil, slug: #""pages""#, "default/pages"),
        Row("the default exchange with an account", key: nil, account: "acme", slug: #""pages""#, "acme/pages"),
        Row("the default exchange without a slug", key: nil, account: "acme", "message.address_missing"),
        Row("the default exchange with a null", key: nil, slug: "null", "message.address_missing"),
        Row("the default exchange with an illegal slug", key: nil, slug: #""a.b""#, "widget.invalid pattern /slug"),
        Row("the default exchange with an empty slug", key: nil, slug: #""""#, "widget.invalid pattern /slug"),
        Row(
            "the default exchange with an illegal account", key: nil, account: "a.b", slug: #""pages""#,
            "widget.invalid pattern /account"),
        Row("a slug that is a number", key: nil, slug: "1", "widget.invalid type /slug"),
        Row("a slug that is an array", key: "acme.pages", slug: #"["pages"]"#, "widget.invalid type /slug"),
    ]

    @Test(arguments: rows)
    func `comes from key, header and body`(_ row: Row) throws {
        let slug = row.slug.isEmpty ? "" : #""slug":\#(row.slug),"#
        let body = #"{\#(slug)"name":"n","content":{"template":"value"}}"#
        let fate = try Desk().send(.sample(body, key: row.key, type: "widget.create", account: row.account))
        if let address = fate.acceptedWidget?.address {
            #expect("\(address.account)/\(address.slug)" == row.expected)
        } else {
            #expect(([fate.word] + fate.faults).joined(separator: " ") == row.expected)
        }
    }

    @Test func `may name another default account`() throws {
        var limits = MessageLimits()
        limits.defaultAccount = "home"
        let desk = Desk(limits)
        let body = #"{"slug":"pages","name":"n","content":{"template":"value"}}"#
        #expect(try desk.send(.sample(body, key: nil, type: "widget.create")).word == "accepted")
        #expect(desk.document(account: "home") != nil)
    }

    @Test(
        arguments: [
            ("acme", "accepted"), ("Acme", "account.forbidden"), ("acme2", "account.forbidden"),
            (nil, "account.forbidden"),
            ("", "account.forbidden"), ("guest", "account.forbidden"),
        ] as [(String?, String)])
    func `is open to its own user alone where accounts are bound`(_ user: String?, _ word: String) throws {
        var limits = MessageLimits()
        limits.bindsAccountToUser = true
        let body = #"{"slug":"pages","name":"n","content":{"template":"value"}}"#
        #expect(try Desk(limits).send(.sample(body, type: "widget.create", user: user)).word == word)
        #expect(
            try Desk(limits).send(.sample(body, key: nil, type: "widget.create", user: user, account: "acme")).word
                == word)
        #expect(try Desk().send(.sample(body, type: "widget.create", user: user)).word == "accepted")
    }

    @Test func `keeps accounts apart`() throws {
        let desk = Desk()
        try desk.send(.create(key: "acme.pages"))
        #expect(try desk.send(.sample("{}", key: "other.pages")).word == "widget.not_found")
        #expect(try desk.send(.sample("{}", key: "acme.Pages")).word == "widget.not_found")
        #expect(try desk.send(.create(key: "other.pages")).acceptedWidget?.revision == 1)
    }
}
