import Testing
import WidgetJSON
import WidgetTestSupport

@Suite(.row(28)) struct `A merge patch` {
    private static func merge(_ target: String, _ patch: String) throws -> String {
        let merged = try Document(json: target).merged(with: Document(json: patch))
        #expect(try Document(json: merged.json) == merged)
        return merged.json
    }

    /// RFC 7396 appendix A.
    @Test(arguments: [
        (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
        (#"{"a":"b"}"#, #"{"a":null}"#, "{}"), (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
        (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
        (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
        (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#), (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
        (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#), (#"{"a":"foo"}"#, "null", "null"),
        (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
        (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#), ("[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
        ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
    ])
    func `gives what the RFC's examples give`(_ target: String, _ patch: String, _ result: String) throws {
        #expect(try Self.merge(target, patch) == result)
    }

    @Test(arguments: [
        (
            "members keep the place where they were first seen", #"{"a":1,"b":2,"c":3}"#, #"{"d":4,"c":5,"a":6}"#,
            #"{"a":6,"b":2,"c":5,"d":4}"#
        ),
        ("one that is removed and set again comes last", #"{"b":2}"#, #"{"a":1}"#, #"{"b":2,"a":1}"#),
        (
            "numbers keep their text", #"{"a":0.10,"b":-0,"c":1E2}"#, #"{"b":9007199254740993}"#,
            #"{"a":0.10,"b":9007199254740993,"c":1E2}"#
        ),
        ("nulls in arrays are data", #"{"a":[1]}"#, #"{"a":[null,{"b":null}]}"#, #"{"a":[null,{"b":null}]}"#),
        (
            "nulls in a new object remove nothing and go", "{}", #"{"a":{"b":null,"c":{"d":null},"e":[null]}}"#,
            #"{"a":{"c":{},"e":[null]}}"#
        ),
        ("an object replaces a scalar", #"{"a":1}"#, #"{"a":{"b":null,"c":2}}"#, #"{"a":{"c":2}}"#),
        ("an empty object over a scalar", #"{"a":1}"#, #"{"a":{}}"#, #"{"a":{}}"#),
        ("an empty object over an object", #"{"a":{"b":1}}"#, #"{"a":{}}"#, #"{"a":{"b":1}}"#),
        ("a null for what is not there", #"{"a":1}"#, #"{"b":null}"#, #"{"a":1}"#),
        ("names compare byte for byte", "{\"\u{E9}\":1}", "{\"e\u{301}\":2}", "{\"\u{E9}\":1,\"e\u{301}\":2}"),
        ("names compare with escapes read", #"{"a/\n":1}"#, #"{"\u0061\/\u000a":2}"#, #"{"a/\n":2}"#),
        ("the empty name", #"{"":1}"#, #"{"":null,"a":""}"#, #"{"a":""}"#),
        ("a text that ends in a brace", #"{"{":"{"}"#, #"{"{{":"{"}"#, #"{"{":"{","{{":"{"}"#),
    ])
    func `keeps order, text and names`(_ name: String, _ target: String, _ patch: String, _ result: String) throws {
        let merged = try Self.merge(target, patch)
        #expect(merged.utf8.elementsEqual(result.utf8), "\(merged)")
    }

    @Test(arguments: [1, 63, 64, 65, 130])
    func `of any number of members is the reference's`(_ count: Int) throws {
        func tree(_ range: Range<Int>, _ value: (Int) -> JSONTree) -> JSONTree {
            .object(range.map { ("n\($0)", value($0)) })
        }
        let target = tree(0..<count) { .number("\($0)") }
        let patch = tree(count / 2..<count + 70) { $0 % 3 == 0 ? .null : $0 % 3 == 1 ? .object([]) : .bool(true) }
        #expect(try Self.merge(target.text, patch.text) == target.merged(with: patch).text)
        #expect(try Self.merge(patch.text, target.text) == patch.merged(with: target).text)
    }

    @Test func `can leave out a member at the top alone`() throws {
        let patch = try Document(json: #"{"slug":1,"a":{"slug":2}}"#)
        let merged = try Document(json: #"{"b":1}"#).merged(with: patch, ignoring: "slug")
        #expect(merged.json == #"{"b":1,"a":{"slug":2}}"#)
        #expect(try Document(json: merged.json) == merged)
    }

    @Test func `is the reference's for random documents, and does nothing the second time`() throws {
        for seed in UInt64(1)...1_000 {
            var random = SeededRandom(seed: seed)
            let target = JSONTree.object(&random, depth: 4)
            let patch = random.oneIn(20) ? JSONTree.random(&random) : .object(&random, depth: 4)
            let merged = try Self.merge(target.text, patch.text)
            #expect(merged.utf8.elementsEqual(target.merged(with: patch).text.utf8), "seed \(seed)")
            #expect(try Self.merge(merged, patch.text) == merged, "seed \(seed)")
        }
    }

    @Test func `after patch gives what the reference gives step by step`() throws {
        for seed in UInt64(1)...200 {
            var random = SeededRandom(seed: seed)
            var tree = JSONTree.object(&random, depth: 4)
            var document = try Document(json: tree.text)
            let buffer = DocumentBuffer()
            for step in 0..<12 {
                let patch = JSONTree.object(&random, depth: 4)
                tree = tree.merged(with: patch)
                try Document(json: patch.text).withView { patch in document.withView { buffer.merge($0, with: patch) } }
                document.assign(buffer)
                #expect(document.json.utf8.elementsEqual(tree.text.utf8), "seed \(seed), step \(step)")
            }
            #expect(try Document(json: document.json) == document, "seed \(seed)")
        }
    }

    @Test func `leaves the bytes of what it does not touch`() throws {
        for seed in UInt64(1)...200 {
            var random = SeededRandom(seed: seed)
            let target = try Document(json: JSONTree.object(&random, depth: 4).text)
            let patch = try Document(json: JSONTree.object(&random, depth: 4).text)
            let merged = target.merged(with: patch)
            var untouched: [String] = []
            for (name, value) in target.members(of: 0) where patch.memberNamed(like: name, in: target, of: 0) == nil {
                let twin = try #require(merged.memberNamed(like: name, in: target, of: 0), "seed \(seed)")
                #expect(merged.textOfValue(at: twin) == target.textOfValue(at: value), "seed \(seed)")
                untouched.append(target.string(at: name) ?? "")
            }
            let order = merged.members(of: 0).map { merged.string(at: $0.name) ?? "" }.filter { name in
                untouched.contains { $0.utf8.elementsEqual(name.utf8) }
            }
            #expect(order == untouched, "seed \(seed)")
        }
    }
}
