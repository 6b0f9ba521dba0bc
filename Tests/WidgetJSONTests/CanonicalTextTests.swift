import Testing
import WidgetJSON
import WidgetJSONParsing
import WidgetTestSupport

struct `A document's text` {
    @Test(arguments: [
        (#" { "a" : [ 1 , 2 ] , "b" : { } } "#, #"{"a":[1,2],"b":{}}"#), ("\t[\n]\r\n", "[]"), (" null ", "null"),
        (#""\/""#, #""/""#), (#""a\/b""#, #""a/b""#), (#""\u002F""#, #""/""#),
        (#""\u0041\u00e9\uD83D\uDE00""#, #""Aé😀""#),
        (#""\u0000\u0001\u001F\u007f""#, "\"\\u0000\\u0001\\u001f\u{7F}\""), (#""\u001E\u000B""#, #""\u001e\u000b""#),
        (#""\u0008\u0009\u000a\u000C\u000D""#, #""\b\t\n\f\r""#), (#""\u0022\u005c""#, #""\"\\""#),
        (#""\"\\\b\f\n\r\t""#, #""\"\\\b\f\n\r\t""#),
        (#""\\u0041""#, #""\\u0041""#), (#"{"\u0061\/":"\/"}"#, #"{"a/":"/"}"#),
        (#""\u2028\uFFFF\uFEFF""#, "\"\u{2028}\u{FFFF}\u{FEFF}\""),
        ("\"\u{2028}\u{7F}\"", "\"\u{2028}\u{7F}\""), (#""  a  ""#, #""  a  ""#),
        (#"["[1, 2]", "{ : }"]"#, #"["[1, 2]","{ : }"]"#),
        ("[ 0.10 , 1E2 , -0 , 1e-400 , 1.0e+05 ]", "[0.10,1E2,-0,1e-400,1.0e+05]"),
        (#""\uDBFF\uDFFF\uD800\uDC00""#, "\"\u{10FFFF}\u{10000}\""),
    ])
    func `has no white space and the shortest escapes`(_ text: String, _ canonical: String) throws {
        let document = try Document(json: text)
        #expect(document.json.utf8.elementsEqual(canonical.utf8), "\(document.json)")
        #expect(try Document(json: document.json) == document)
    }

    @Test(arguments: [
        (#""""#, ""), (#""a""#, "a"), (#""\u0000\u001f\"\\\/\b\f\n\r\t""#, "\u{0}\u{1F}\"\\/\u{8}\u{C}\n\r\t"),
        (#""\ud83d\ude00""#, "😀"),
        (#""\u00001""#, "\u{0}1"),
    ])
    func `gives its strings with escapes read`(_ text: String, _ string: String) throws {
        let document = try Document(json: text)
        #expect(document.string(at: 0)?.utf8.elementsEqual(string.utf8) == true)
        #expect(document.hasString(at: 0, equalTo: string))
        #expect(!document.hasString(at: 0, equalTo: string + "x"))
        #expect(String(decoding: string.jsonText, as: UTF8.self) == document.json)
    }

    @Test(.row(30)) func `finds members by their bytes`() throws {
        let document = try Document(json: "{\"e\u{301}\":1,\"\u{E9}\":2,\"\\n\":3,\"\":4,\"a\":{\"b\":5}}")
        let found = ["\u{E9}", "e\u{301}", "\n", "", "b", "a\u{0}"].map { name in
            document.member(name).flatMap { document.number(at: $0) }
        }
        #expect(found == [2, 1, 3, 4, nil, nil])
        #expect(document.member("b", of: document.member("a") ?? 0) != nil)
        #expect(document.member("x", of: document.member("a").map { $0 + 2 } ?? 0) == nil)
        #expect(document.members(of: 0).map { document.string(at: $0.name) } == ["e\u{301}", "\u{E9}", "\n", "", "a"])
    }

    @Test func `answers for other kinds with nothing`() throws {
        let document = try Document(json: #"[1,"a",{},null,true]"#)
        let kinds = document.elements(of: 0).map { document[$0].kind }
        #expect(kinds == [.number, .string, .object, .null, .true])
        #expect(document.elements(of: 0).map { document.string(at: $0) } == [nil, "a", nil, nil, nil])
        #expect(document.elements(of: 0).map { document.number(at: $0) } == [1, nil, nil, nil, nil])
        #expect(document.member("a") == nil)
    }

    @Test func `is read again to the same document, whatever it holds`() throws {
        for seed in UInt64(1)...400 {
            var random = SeededRandom(seed: seed)
            let tree = JSONTree.random(&random, depth: 6)
            let document = try Document(json: tree.text)
            #expect(document.json == tree.text, "seed \(seed)")
        }
    }
}

struct `A number` {
    @Test(
        arguments: [
            ("0", 0), ("-0", -0.0), ("0.10", 0.1), ("1E2", 100), ("1e-400", 0), ("-1e-400", 0), ("1e400", .infinity),
            ("-1e400", -.infinity), ("9007199254740993", 9_007_199_254_740_992),
            ("123456789012345", 123_456_789_012_345),
            ("0.000001", 1e-6), ("1234567890.12345", 1_234_567_890.12345),
            ("1.7976931348623157e308", .greatestFiniteMagnitude),
            ("1.7976931348623159e308", .infinity), ("4.9e-324", .leastNonzeroMagnitude),
            ("2.4e-324", 0), ("0.1e1", 1), ("100e-2", 1),
            ("5e99999999999999999999", .infinity), ("5e-99999999999999999999", 0), ("0e99999999999999999999", 0),
            ("3.141592653589793238462643383279502884197", .pi), ("0.00000000000000000000001", 1e-23), ("8.5", 8.5),
        ] as [(String, Double)])
    func `is the nearest double`(_ text: String, _ number: Double) throws {
        #expect(try Document(json: text).number(at: 0) == number)
    }

    @Test func `of 10 000 digits is read, too`() throws {
        #expect(try Document(json: "9" * 10_000).number(at: 0) == .infinity)
        #expect(try Document(json: "0.\("3" * 10_000)").number(at: 0) == 1.0 / 3)
        #expect(try Document(json: "1\("0" * 10_000)e-10000").number(at: 0) == 1)
        #expect(try Document(json: "0.\("0" * 9_999)1e10000").number(at: 0) == 1)
    }

    @Test func `is as exact as the standard library's`() throws {
        var random = SeededRandom(seed: 7)
        for _ in 0..<3_000 {
            let whole = String(random.next() >> UInt64(random.below(64)))
            let fraction = String(random.next() >> UInt64(random.below(64)))
            let (sign, zeros) = (random.oneIn(2) ? "-" : "", "0" * random.below(12))
            let text = "\(sign)\(whole).\(zeros)\(fraction.prefix(1 + random.below(18)))"
            #expect(try Document(json: text).number(at: 0) == Double(text), "\(text)")
        }
    }
}
