import Testing
import WidgetJSON
import WidgetJSONParsing
import WidgetTestSupport

struct `The reader` {
    private static func read(_ text: String, depth: Int = 32) throws(JSONFault) -> Document {
        try DocumentReader().read(Array(text.utf8), depth: depth)
    }

    private static func reason(_ bytes: [UInt8], depth: Int = 32) -> JSONFault.Reason? {
        do throws(JSONFault) {
            _ = try DocumentReader().read(bytes, depth: depth)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test(
        .row(29),
        arguments: [
            ("", .empty), (" \n\t\r", .empty), ("\u{FEFF}{}", .byteOrderMark), ("\u{FEFF}", .byteOrderMark),
            ("\"a", .unclosedString), ("\"a\\\"", .unclosedString), ("{\"a\":\"b}", .unclosedString),
            ("\"a\nb\"", .controlCharacter), ("\"\u{0}\"", .controlCharacter), ("\"\u{1F}\"", .controlCharacter),
            (#""\a""#, .badEscape), (#""\U0041""#, .badEscape), (#""\u004""#, .badEscape), (#""\u00g0""#, .badEscape),
            (#""\'""#, .badEscape), (#""\x41""#, .badEscape), (#"{"\q":1}"#, .badEscape),
            (#""\uD800""#, .loneSurrogate), (#""\uDC00""#, .loneSurrogate), (#""\uD800\uD800""#, .loneSurrogate),
            (#""\uDC00\uD800""#, .loneSurrogate), (#""\uD83Dx\uDE00""#, .loneSurrogate),
            (#""\ud83d\n""#, .loneSurrogate),
            (#"{"\uDFFF":1}"#, .loneSurrogate), (#""\uD83D\u0041""#, .loneSurrogate),
            ("01", .badNumber), ("-", .badNumber), ("-a", .badNumber), ("1.", .badNumber), ("1.e1", .badNumber),
            ("1e", .badNumber), ("1e+", .badNumber), ("1E-x", .badNumber), ("0x1", .badNumber), ("1_000", .badNumber),
            ("-01", .badNumber), ("--1", .badNumber), ("1.2.3", .badNumber), ("1\"a\"", .badNumber),
            ("-Infinity", .badNumber),
            (".5", .badToken), ("+1", .badToken), ("NaN", .badToken), ("Infinity", .badToken), ("True", .badToken),
            ("nul", .badToken), ("nulll", .badToken), ("true1", .badToken), ("'a'", .badToken),
            ("undefined", .badToken),
            ("{a:1}", .badToken), ("{1:1}", .badToken), (#"{"a" 1}"#, .badToken), (#"{"a":}"#, .badToken),
            (#"{"a",1}"#, .badToken),
            (#"{"a":1,}"#, .badToken), ("[1,]", .badToken), ("[,1]", .badToken), ("[1 2]", .badToken),
            ("[1,,2]", .badToken),
            (#"{"a":1 "b":2}"#, .badToken), ("[}", .badToken), ("{]", .badToken), (#"{"a":1]"#, .badToken),
            ("[1}", .badToken),
            ("//x\n1", .badToken), ("/* x */1", .badToken), ("]", .badToken), (",", .badToken), (":", .badToken),
            ("\u{0}", .badToken),
            ("\u{A0}1", .badToken), ("\u{C}1", .badToken), ("#", .badToken), ("{\"a\":1,{\"b\":2}}", .badToken),
            ("[", .unclosed), ("{", .unclosed), ("[1", .unclosed), ("[1,", .unclosed), (#"{"a""#, .unclosed),
            (#"{"a":"#, .unclosed),
            (#"{"a":1"#, .unclosed), (#"{"a":1,"#, .unclosed), ("[[]", .unclosed),
            ("1 2", .trailing), ("{}{}", .trailing), ("[]]", .trailing), ("{},", .trailing), ("\"a\"\"b\"", .trailing),
            ("{}\u{0}", .trailing),
            ("null x", .trailing), ("{}//", .trailing),
        ] as [(String, JSONFault.Reason)])
    func `refuses what RFC 8259 forbids, and says why`(_ text: String, _ reason: JSONFault.Reason) {
        #expect(Self.reason(Array(text.utf8)) == reason)
    }

    @Test(
        arguments: [
            [0x22, 0xC0, 0xAF, 0x22], [0x22, 0xC1, 0x81, 0x22], [0x22, 0xE0, 0x80, 0xAF, 0x22],
            [0x22, 0xF0, 0x80, 0x80, 0xAF, 0x22],
            [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xED, 0xBF, 0xBF, 0x22], [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22],
            [0x22, 0xF8, 0x88, 0x80, 0x80, 0x80, 0x22], [0x22, 0x80, 0x22], [0x22, 0xFF, 0x22],
            [0x22, 0xE2, 0x82, 0x22],
            [0x22, 0xC3, 0x22], [0xC3], [0xFE, 0xFF, 0, 0x7B, 0, 0x7D], [0x7B, 0x7D, 0x80],
            [0x7B, 0x22, 0xC3, 0x28, 0x22, 0x3A, 0x31, 0x7D],
        ] as [[UInt8]])
    func `refuses what is no UTF-8`(_ bytes: [UInt8]) {
        #expect(Self.reason(bytes) == .notUTF8)
    }

    @Test(
        .row(29),
        arguments: [
            #"{"a":1,"a":1}"#, #"{"a":1,"\u0061":2}"#, #"{"\u0061":1,"b":3,"a":2}"#, #"{"x":{"a":1,"a":1}}"#,
            #"[{"":1,"":2}]"#,
            #"{"/":1,"\/":2}"#, #"{"\n":1,"\u000a":2}"#, #"{"😀":1,"\ud83d\ude00":2}"#, #"{"\"":1,"\u0022":2}"#,
        ])
    func `refuses a member name that stands twice, escapes read`(_ text: String) throws {
        #expect(Self.reason(Array(text.utf8)) == .duplicateName)
        _ = try DocumentReader().read(Array(text.utf8), refusingDuplicateNames: false)
    }

    @Test(
        .row(30),
        arguments: [
            "{\"\u{E9}\":1,\"e\u{301}\":2}", #"{"a":{"a":{"a":1}},"b":{"a":1}}"#, #"[{"a":1},{"a":1}]"#,
            #"{"a":1,"A":2,"a ":3}"#,
            #"{"a":"a","b":"a"}"#, #"{"a\u0000":1,"a":2}"#,
        ])
    func `takes names apart byte for byte`(_ text: String) throws {
        _ = try Self.read(text)
    }

    @Test(arguments: [1, 2, 15, 16, 17, 18, 40, 1_000])
    func `finds a repeated name among any number of members`(_ count: Int) throws {
        let members = (0..<count).map { "\"n\($0)\":\($0)" }
        #expect(Self.reason(Array("{\(members.joined(separator: ","))}".utf8)) == nil)
        for repeated in Set([0, count / 2, count - 1]) {
            let twice = members + ["\"n\(repeated)\":{}"]
            #expect(Self.reason(Array("{\(twice.joined(separator: ","))}".utf8)) == .duplicateName)
            #expect(Self.reason(Array("[{\(twice.joined(separator: ",")),\"z\":[]}]".utf8)) == .duplicateName)
        }
    }

    @Test func `takes nesting up to the limit`() throws {
        for (open, close) in [("[", "]"), (#"{"a":"#, "}"), (#"[{"a":"#, "}]")] {
            let levels = open.hasPrefix("[{") ? 16 : 32
            _ = try Self.read(open * levels + "1" + close * levels)
            #expect(Self.reason(Array(("[" + open * levels + "1" + close * levels + "]").utf8)) == .tooDeep)
        }
        _ = try Self.read("[" * 64 + "]" * 64, depth: 64)
        #expect(Self.reason(Array(("[" * 65 + "]" * 65).utf8), depth: 64) == .tooDeep)
        #expect(Self.reason(Array(("[" * 10_000).utf8)) == .tooDeep)
        #expect(Self.reason(Array(("[" * 10_000 + "]" * 10_000).utf8), depth: 10_000) == .tooDeep)
        #expect(Self.reason(Array((#"{"a":"# * 10_000).utf8)) == .tooDeep)
        _ = try Self.read("[\(Array(repeating: "[]", count: 1_000).joined(separator: ","))]", depth: 2)
    }

    @Test func `takes texts up to the limit, and no longer ones`() throws {
        let text = "\"\("x" * (256 * 1024 - 2))\""
        #expect(try Self.read(text).json == text)
        let longest = "\"\("x" * (Node.longestDocument - 2))\""
        #expect(try Self.read(longest).json == longest)
        #expect(Self.reason(Array((longest + " ").utf8)) == .tooLong)
        let digits = "-\("7" * 10_000).\("3" * 10_000)e-\("9" * 10_000)"
        #expect(try Self.read("[\(digits)]").json == "[\(digits)]")
        let escaped = "\"\(#"\u0001"# * 40_000)\""
        #expect(try Self.read(escaped).json == escaped)
    }

    @Test func `leaves the document as it was on a fault`() throws {
        let reader = DocumentReader()
        let buffer = DocumentBuffer()
        try reader.read(Array(#"{"a":[1]}"#.utf8), into: buffer)
        let before = buffer.document
        for text in ["", "{", #"{"a":1,"a":2}"#, "[\"\u{0}\"]", "[" * 100] {
            #expect(throws: JSONFault.self) { try reader.read(Array(text.utf8), into: buffer) }
            #expect(buffer.document == before)
        }
    }

    @Test func `serves one text after the other, of any length`() throws {
        let reader = DocumentReader()
        for count in [1, 100_000, 3, 4_095, 4_096, 4_097, 63, 64, 65, 127, 128, 129, 200_000, 0] {
            let text = #"{"k":"\#("é" * count)","n":[1,{"m":-0.0}]}"#
            #expect(try reader.read(Array(text.utf8)).json == text)
        }
    }

    @Test func `says where it went wrong`() {
        for (text, offset) in [(#"{"a":1,"a":2}"#, 7), ("[1,01]", 3), (#"["x\q"]"#, 3), ("[1 2]", 3), ("{} {}", 3)] {
            let fault = #expect(throws: JSONFault.self) { try Self.read(text) }
            #expect(fault?.offset == offset, "\(text)")
        }
    }
}
