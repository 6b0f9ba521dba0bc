import Testing
import WidgetContract
import WidgetTestSupport

@testable import WidgetWorker

@Suite(.row(19)) struct `Properties of a message` {
    private static let body = #"{"name":"n","content":{"template":"value"}}"#

    private static func word(
        type: String? = "widget.create", contentType: String? = nil, encoding: String? = nil,
        _ bytes: [UInt8] = Array(body.utf8)
    ) throws -> String {
        try Desk().send(.sample(bytes, type: type, contentType: contentType, encoding: encoding)).word
    }

    @Test(
        arguments: [
            nil, "", "application/json", "Application/JSON", "application/json;charset=utf-8",
            "application/json ; charset=\"utf-8\"",
            " application/json ", "application/merge-patch+json", "APPLICATION/MERGE-PATCH+JSON",
            "application/problem+json;q=1",
            "application/vnd.acme.widget+json", "image/x+json", "application/json;", "application/x+JSON; a=b; c=d",
        ] as [String?])
    func `take every content type that is JSON`(_ contentType: String?) throws {
        #expect(try Self.word(contentType: contentType) == "accepted")
    }

    @Test(arguments: [
        "text/plain", "application/xml", "application/json5", "application/jsonp", "json", "+json",
        "application/x-json",
        "application/octet-stream", ";", "application/json+xml", "application/", "text/plain; a=application/json",
        "a/b;+json",
        "application/json, text/plain", "appli cation/json",
    ])
    func `refuse any other content type`(_ contentType: String) throws {
        #expect(try Self.word(contentType: contentType) == "message.content_type_unsupported")
    }

    @Test(arguments: [nil, "", "identity", "Identity"] as [String?])
    func `take plain bodies`(_ encoding: String?) throws {
        #expect(try Self.word(encoding: encoding) == "accepted")
    }

    @Test(arguments: ["gzip", "GZIP"])
    func `take packed bodies`(_ encoding: String) throws {
        #expect(try Self.word(encoding: encoding, Gzip.stored(Self.body)) == "accepted")
        #expect(try Self.word(encoding: encoding) == "message.malformed")
        #expect(try Self.word(encoding: encoding, []) == "request.body_required")
        #expect(try Self.word(encoding: encoding, Gzip.stored("")) == "request.body_required")
        #expect(try Self.word(encoding: nil, Gzip.stored(Self.body)) == "message.malformed")
    }

    @Test(arguments: ["deflate", "br", "compress", "gzip, gzip", "zstd", "utf-8", "gzip;q=1", "*"])
    func `refuse any other encoding`(_ encoding: String) throws {
        #expect(try Self.word(encoding: encoding) == "message.content_encoding_unsupported")
    }

    @Test func `stop unpacking at the limit`() throws {
        let bomb = Gzip.bomb(atLeast: 64 << 20)
        #expect(bomb.count < 600_000)
        var limits = MessageLimits()
        limits.largestBody = 1 << 20
        let fate = try Desk(limits).send(.sample(bomb, type: "widget.create", encoding: "gzip"))
        #expect(fate.word == "message.too_large")
        #expect(throws: Inflate.Fault.tooLarge) { try Inflate.gzip(Gzip.bomb(atLeast: 300_000), limit: 300_000) }
    }

    @Test func `count the bytes that come out`() throws {
        var limits = MessageLimits()
        limits.largestBody = 1_000
        func word(_ count: Int) throws -> String {
            let text = Self.body + " " * (count - Self.body.utf8.count)
            return try Desk(limits).send(.sample(text, type: "widget.create")).word
        }
        #expect(try word(1_000) == "accepted")
        #expect(try word(1_001) == "message.too_large")
        #expect(try Inflate.gzip(Gzip.stored("x" * 1_000), limit: 1_000).count == 1_000)
        #expect(throws: Inflate.Fault.tooLarge) { try Inflate.gzip(Gzip.stored("x" * 1_001), limit: 1_000) }
        #expect(try Desk().send(.sample("{}", type: "widget.create", dropped: 1)).word == "message.too_large")
    }

    @Test func `refuse what is damaged, wherever it is`() throws {
        let whole = Gzip.stored(Self.body)
        for length in 1..<whole.count {
            #expect(try Self.word(encoding: "gzip", Array(whole[..<length])) == "message.malformed", "\(length) bytes")
        }
        for index in [0, 1, 2, 10, 11, 13, 20, whole.count - 1, whole.count - 5] {
            var bytes = whole
            bytes[index] ^= 0xFF
            #expect(try Self.word(encoding: "gzip", bytes) == "message.malformed", "byte \(index)")
        }
        #expect(try Self.word(encoding: "gzip", whole + [0]) == "message.malformed")
    }

    @Test func `unpack what spans several blocks`() throws {
        let text = "é" * 60_000
        #expect(try Inflate.gzip(Gzip.stored(text), limit: 200_000) == Array(text.utf8))
    }

    @Test(arguments: [nil, "", "widget.patch"] as [String?])
    func `take a message without a type for a patch`(_ type: String?) throws {
        let desk = Desk()
        try desk.send(.create())
        #expect(try desk.send(.sample(#"{"name":"m"}"#, type: type)).word == "accepted")
        #expect(desk.document()?.contains(#""name":"m""#) == true)
    }

    @Test(.row(1)) func `that could not be read refuse it`() throws {
        var message = Message.sample(Self.body, type: "widget.create", dropped: 300_000)
        message.isUnreadable = true
        let fate = try Desk().send(message)
        #expect(fate.word == "message.malformed")
    }

    @Test(arguments: ["patch", "Widget.Patch", "widget.patch ", "widget.update", "widget.deleted", " "])
    func `refuse any other type`(_ type: String) throws {
        #expect(try Self.word(type: type) == "message.type_unknown")
    }
}
