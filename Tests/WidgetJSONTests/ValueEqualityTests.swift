import Testing
import WidgetJSON
import WidgetTestSupport

struct `Values` {
    private static func areEqual(_ left: String, _ right: String) throws -> Bool {
        let (one, two) = (try Document(json: left), try Document(json: right))
        let result = one.value(at: 0, equals: two, at: 0)
        #expect(two.value(at: 0, equals: one, at: 0) == result)
        return result
    }

    @Test(arguments: [
        ("0", "0.0"), ("0", "-0"), ("-0.00", "0e5"), ("1E2", "100"), ("1e+2", "100.000"), ("0.1", "1e-1"),
        ("10", "1e1"),
        ("120e-1", "12"), ("1e400", "10e399"), ("1e-400", "0.1e-399"), ("9007199254740993", "9007199254740993.0"),
        ("-1.50", "-15e-1"), ("1\("0" * 10_000)", "1e10000"), ("0.\("0" * 9_999)1", "1e-10000"),
        ("0e999999999999", "0"),
        (#""a""#, #""\u0061""#), (#""/""#, #""\/""#), ("null", " null"), ("[]", "[ ]"), ("{}", "{ }"),
        ("[1,[2]]", "[1.0,[2e0]]"),
        (#"{"a":1,"b":{"c":[0]}}"#, #"{"b":{"c":[-0]},"a":1.0}"#), (#"{"a\n":1}"#, #"{"a\u000a":1}"#),
    ])
    func `are equal however they are written`(_ left: String, _ right: String) throws {
        #expect(try Self.areEqual(left, right))
    }

    @Test(arguments: [
        ("9007199254740993", "9007199254740992"), ("0", "1e-400"), ("1e400", "1e401"), ("1", "-1"),
        ("0.1", "0.10000000000000001"),
        ("1", "true"), ("1", #""1""#), ("0", "false"), ("0", "null"), ("true", "false"), ("null", "false"),
        (#""""#, "null"),
        ("[]", "{}"), ("[1,2]", "[2,1]"), ("[1]", "[1,1]"), ("[1,1]", "[1]"), ("[]", "[null]"), ("{}", #"{"a":null}"#),
        (#"{"a":1}"#, #"{"b":1}"#), (#"{"a":1}"#, #"{"a":1,"b":2}"#), (#"{"a":1,"b":2}"#, #"{"a":2,"b":1}"#),
        (#""a""#, #""A""#),
        ("\"\u{E9}\"", "\"e\u{301}\""), ("{\"\u{E9}\":1}", "{\"e\u{301}\":1}"), ("10", "1"), ("1", "1e1"),
        ("12", "1.2"), ("[[1],[]]", "[[],[1]]"),
    ])
    func `differ where they say something else`(_ left: String, _ right: String) throws {
        #expect(try !Self.areEqual(left, right))
    }

    @Test func `are equal to themselves in any order of members, and to no other`() throws {
        for seed in UInt64(1)...300 {
            var random = SeededRandom(seed: seed)
            let tree = JSONTree.object(&random, depth: 4)
            let shuffled = Self.shuffled(tree, &random)
            #expect(try Self.areEqual(tree.text, shuffled.text), "seed \(seed)")
            guard case .object(var members) = shuffled, !members.isEmpty else { continue }
            members[random.below(members.count)].value = .string("something else")
            #expect(try !Self.areEqual(tree.text, JSONTree.object(members).text), "seed \(seed)")
        }
    }

    private static func shuffled(_ tree: JSONTree, _ random: inout SeededRandom) -> JSONTree {
        switch tree {
        case .object(let members):
            let inner = members.map { (name: $0.name, value: shuffled($0.value, &random)) }
            return .object(inner.shuffled(using: &random))
        case .array(let elements): return .array(elements.map { shuffled($0, &random) })
        default: return tree
        }
    }
}
