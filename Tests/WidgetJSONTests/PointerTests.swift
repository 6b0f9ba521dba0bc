import Testing
import WidgetJSON
import WidgetTestSupport

struct `A pointer` {
    /// The example of RFC 6901 section 5.
    private static let example =
        #"{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8}"#

    @Test(arguments: [
        ("", example), ("/foo", #"["bar","baz"]"#), ("/foo/0", #""bar""#), ("/", "0"), ("/a~1b", "1"), ("/c%d", "2"),
        ("/e^f", "3"), ("/g|h", "4"), ("/i\\j", "5"), ("/k\"l", "6"), ("/ ", "7"), ("/m~0n", "8"),
    ])
    func `leads where RFC 6901 says`(_ text: String, _ value: String) throws {
        let document = try Document(json: Self.example)
        let position = try #require(JSONPointer(text)?.resolve(in: document))
        #expect(document.textOfValue(at: position).elementsEqual(value.utf8))
    }

    @Test(arguments: [
        "/bar", "/foo/2", "/foo/-", "/foo/00", "/foo/01", "/foo/+1", "/foo/-1", "/foo/1 ", "/foo/",
        "/foo/99999999999999999999",
        "/foo/0/0", "//", "/a/b", "/m~01n", "/FOO", "/foo/\u{661}",
    ])
    func `leads nowhere where nothing is`(_ text: String) throws {
        #expect(try JSONPointer(text)?.resolve(in: Document(json: Self.example)) == nil)
    }

    @Test(arguments: ["foo", "a/b", " /a", "/~", "/a~", "/~2", "/~a", "~0", "#/a"])
    func `is refused when it is none`(_ text: String) {
        #expect(JSONPointer(text) == nil)
    }

    @Test(arguments: ["", "a", "/", "~", "~1", "~01", "//~~", "é", "e\u{301}", "\u{301}", "0", " "])
    func `escapes names and reads them again`(_ name: String) throws {
        let pointer = JSONPointer.root.appending("x").appending(name).appending(3)
        #expect(pointer.tokens.map { Array($0.utf8) } == ["x", name, "3"].map { Array($0.utf8) })
        #expect(JSONPointer(pointer.description) == pointer)
        let document = try Document(
            json: #"{"x":{"z":0,\#(String(decoding: name.jsonText, as: UTF8.self)):[0,1,2,3]}}"#)
        #expect(pointer.resolve(in: document).flatMap { document.number(at: $0) } == 3)
    }

    @Test func `to the root has no tokens`() {
        #expect(JSONPointer.root.tokens == [])
        #expect(JSONPointer("/")?.tokens == [""])
    }
}

struct `The writer` {
    @Test func `puts commas between values, and nowhere else`() {
        var out: [UInt8] = []
        var json = JSONWriter()
        json.beginObject(&out)
        json.name("a", &out)
        json.beginArray(&out)
        json.integer(-1, &out)
        json.string("x", &out)
        json.beginObject(&out)
        json.endObject(&out)
        json.beginArray(&out)
        json.endArray(&out)
        json.null(&out)
        json.endArray(&out)
        json.rawMembers([], &out)
        json.rawMembers(Array(#""b":1,"c":2"#.utf8)[...], &out)
        json.name("d", &out)
        json.boolean(true, &out)
        json.name("e", &out)
        json.raw(Array("0.10".utf8)[...], &out)
        json.endObject(&out)
        #expect(String(decoding: out, as: UTF8.self) == #"{"a":[-1,"x",{},[],null],"b":1,"c":2,"d":true,"e":0.10}"#)
    }

    @Test func `escapes every string so that it is read again`() throws {
        for scalar in (0...0x24F).compactMap(Unicode.Scalar.init) + ["\u{2028}", "\u{FFFF}", "\u{1F600}"] {
            let text = "a\(Character(scalar))b"
            let document = try Document(json: String(decoding: text.jsonText, as: UTF8.self))
            #expect(document.string(at: 0)?.utf8.elementsEqual(text.utf8) == true, "\(scalar.value)")
            #expect(document.text == text.jsonText, "\(scalar.value)")
        }
    }

    @Test func `turns bytes that are no UTF-8 into U+FFFD`() {
        var out: [UInt8] = []
        var json = JSONWriter()
        json.string(utf8: [0x61, 0xFF, 0xC3, 0x62], &out)
        #expect(String(decoding: out, as: UTF8.self) == "\"a\u{FFFD}\u{FFFD}b\"")
    }
}
