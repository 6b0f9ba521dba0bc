import Testing
import WidgetContract
import WidgetJSON
import WidgetTestSupport

@testable import WidgetWorker

struct `The original in a rejection` {
    private func rejection(_ message: Message) throws -> Sent { try Desk().send(message).only(.rejected) }

    @Test(arguments: [
        (#"{ "content" : { "value" : 0.10, "label":"a\/" } }"#, #"{"content":{"value":0.10,"label":"a/"}}"#),
        ("{}", "{}"), ("[1E2]", "[1E2]"),
        ("\"x\"", "\"x\""), ("null", "null"), (" -0 ", "-0"),
    ])
    func `is JSON when it was JSON`(_ body: String, _ shown: String) throws {
        let sent = try rejection(.sample(body))
        #expect(try sent.value("/original/body") == shown)
        #expect(try sent.value("/original/body_base64") == nil)
        #expect(try sent.value("/original/truncated") == nil)
        #expect(try rejection(.sample(Gzip.stored(body), encoding: "gzip")).value("/original/body") == shown)
    }

    @Test(
        arguments: [
            [], [0x7B], [0xFF, 0, 0x80], Array(#"{"a":1,"a":2}"#.utf8), Array("{'a':1}".utf8),
            Array(repeating: 0x5B, count: 40),
        ] as [[UInt8]])
    func `is base64 when it was none`(_ body: [UInt8]) throws {
        let sent = try rejection(.sample(body))
        #expect(try sent.original() == body)
        #expect(try sent.value("/original/body") == nil)
        #expect(try sent.value("/original/truncated") == nil)
    }

    @Test func `is shown as it came when it was refused before it was read`() throws {
        let sent = try rejection(.sample(#"{"name":1}"#, type: "x", contentType: "text/plain"))
        #expect(sent[.code] == "message.content_type_unsupported")
        #expect(
            try sent.value("/original")
                == #"{"type":"x","exchange":"widgets.updates","routing_key":"acme.pages","body":{"name":1}}"#)
    }

    @Test func `is cut at 64 KiB`() throws {
        let limit = 64 * 1024
        func body(_ count: Int) -> String { #"{"zz":"\#("x" * (count - 9))"}"# }
        let exact = try rejection(.sample(body(limit)))
        #expect(try exact.value("/original/body") == body(limit))
        #expect(try exact.value("/original/truncated") == nil)
        let over = try rejection(.sample(body(limit + 1)))
        #expect(try over.value("/original/truncated") == "true")
        #expect(try over.original() == Array(body(limit + 1).utf8.prefix(limit)))
        let noise = [UInt8](repeating: 0xFF, count: limit)
        #expect(try rejection(.sample(noise)).original() == noise)
        #expect(try rejection(.sample(noise)).value("/original/truncated") == nil)
        let more = try rejection(.sample(noise + [1]))
        #expect(try more.original() == noise)
        #expect(try more.value("/original/truncated") == "true")
        let dropped = try rejection(.sample(noise.prefix(100), dropped: 1_000_000))
        #expect(dropped[.code] == "message.too_large")
        #expect(try dropped.original()?.count == 100)
        #expect(try dropped.value("/original/truncated") == "true")
    }

    @Test func `is cut when replacing headers makes it too long`() throws {
        let names = (0..<5_000).map { "\"h\($0)\":\"\"" }
        let body = #"{"content":{"tap_action":{"url":"app:x","headers":\#(String.object(names))}}}"#
        #expect(body.utf8.count < 64 * 1024)
        let sent = try rejection(.sample(body))
        #expect(try sent.original()?.count == 64 * 1024)
        #expect(try sent.value("/original/truncated") == "true")
    }

    private static let secret = "s3cret"

    @Test(arguments: [
        #"{"content":{"tap_action":{"url":"app:x","headers":{"Authorization":"s3cret","X":"s3cret"}},"zz":1}}"#,
        #"{"content":{"url_action":{"h\u0065aders":{"A":"s3cret"}}}}"#, #"{"headers":"s3cret"}"#,
        #"{"headers":["s3cret",{"a":["s3cret"]}]}"#,
        #"[{"headers":{"A":{"b":"s3cret"}}}]"#, #"{"content":{"tap_action":[{"headers":{"A":"s3cret"}}]}}"#,
        #"{"a":{"headers":{"headers":{"A":"s3cret"}}}}"#, #"{"headers":{"A":"s3cret"},"headers":{"B":"s3cret"}}"#,
        #"{'content':{'tap_action':{'headers':{'A':'s3cret'}}}}"#, "{headers:{A:s3cret}}",
        #"{"content":{"tap_action":{"h\u0065\u0061Ders":1,"he\u0061ders":{"A":"s3cret"}}}} x"#,
        #"{"\u0068\u0065\u0061\u0064\u0065\u0072\u0073":{"A":"s3cret"}} x"#,
        #"{"content":{"tap_action":{"headers":{"A":"s3cret"}}"#,
        #"{"content":{"tap_action":{"headers" : {"A":"s3cret"}}}} x"#,
        #"{"pad":"\#("x" * 70_000)","headers":{"A":"s3cret"}}"#,
        #"{"headers":{"A":"s3cret"},"pad":"\#("x" * 70_000)"}"#,
        #"{"pad":"\#("x" * 300_000)","headers":{"A":"s3cret"}}"#,
        #"{"headers":{"A":"s3cret"},"pad":"\#("x" * 300_000)"}"#,
    ])
    func `never holds the value of a header`(_ body: String) throws {
        for message in [
            Message.sample(body, id: "a", replyTo: "replies"), .sample(body, type: "x", id: "a", replyTo: "replies"),
            .sample(body, key: "no", type: "widget.create", contentType: "text/plain"),
            .sample(Gzip.stored(body), type: "widget.create", replyTo: "replies", encoding: "gzip"),
        ] {
            // Bodies that could not be unpacked stand there as they came, packed.
            if message.contentEncoding == "gzip" && body.utf8.count > 262_144 { continue }
            let fate = try Desk().send(message)
            let sent = try fate.only(.rejected)
            let original = String(decoding: try sent.original() ?? [], as: UTF8.self)
            let receipt = fate.sent(.reply).map(\.body).joined()
            #expect(!(sent.body + original + receipt).contains(Self.secret), "\(sent[.code] ?? "")")
            var line: [UInt8] = []
            ReceiptText.writeLine(fate.verdict, fate.widget, to: &line)
            #expect(!String(decoding: line, as: UTF8.self).contains(Self.secret))
        }
    }

    @Test func `has a placeholder for each value`() throws {
        let body = #"{"content":{"tap_action":{"url":"app:x","headers":{"A":"1","B":2,"C":[null]},"body":"b"}}}"#
        #expect(
            try rejection(.sample(body)).value("/original/body")
                == #"{"content":{"tap_action":{"url":"app:x","headers":{"A":"[redacted]","B":"[redacted]","#
                + #""C":["[redacted]"]},"body":"b"}}}"#
        )
    }

    @Test(arguments: [0, 1, 2, 3, 4, 5, 57, 58, 59])
    func `is read again from its base64`(_ count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ 250) }
        #expect(Base64.decode(Base64.encode(bytes[...])) == bytes)
    }

    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func `has the base64 of RFC 4648`(_ text: String, _ encoded: String) {
        #expect(Base64.encode(Array(text.utf8)[...]) == encoded)
        #expect(Base64.decode(encoded) == Array(text.utf8))
    }

    @Test(arguments: ["Z", "Zg", "Zg=", "Zg===", "=Zg=", "Zg==Zg==", "Zm9v!", "Zm 9v", "Zm9v\n", "====", "Z==="])
    func `takes no base64 that is damaged`(_ text: String) {
        #expect(Base64.decode(text) == nil)
    }
}
