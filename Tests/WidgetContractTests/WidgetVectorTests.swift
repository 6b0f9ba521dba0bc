import Testing
import WidgetContract
import WidgetTestSupport

struct `The widget` {
    private static func name(_ title: String, _ json: String, _ rule: String? = nil) -> Vector {
        let body = #"{"name":\#(json),"content":{"template":"value"}}"#
        return rule.map { .create("name: \(title)", body, "\($0) /name") } ?? .create("name: \(title)", body)
    }

    private static let names: [Vector] = [
        name("1", #""x""#), name("256", "\"\("x" * 256)\""), name("257", "\"\("x" * 257)\"", "max_length"),
        name("256 emoji", "\"\("😀" * 256)\""), name("257 emoji", "\"\("😀" * 257)\"", "max_length"),
        name("256 marks", "\"\("\u{301}" * 256)\""), name("257 marks", "\"\("\u{301}" * 257)\"", "max_length"),
        name("empty", #""""#, "not_blank"), name("a space", #"" ""#, "not_blank"),
        name("a tab", #""\t\r\n""#, "not_blank"),
        name("no-break space", "\"\u{A0}\"", "not_blank"),
        name("every space", "\"\u{85}\u{1680}\u{2003}\u{2028}\u{202F}\u{3000}\"", "not_blank"),
        name("zero-width space is none", "\"\u{200B}\""), name("NUL is none", #""\u0000""#),
        name("spaces around", #""  x ""#),
        name("a number", "1", "type"), name("an array", "[]", "type"), name("true", "true", "type"),
    ]

    @Test(arguments: names)
    func `has a name that shows something`(_ vector: Vector) throws { try vector.check() }

    private static let texts: [Vector] = [
        .members("an empty row label", #""stat_rows":[{"label":"","value":"v"}]"#, "not_blank /stat_rows/0/label"),
        .members("a blank row value", #""stat_rows":[{"label":"l","value":" "}]"#, "not_blank /stat_rows/0/value"),
        .members("a blank device name", #""devices":[{"name":"\u3000","level":1}]"#, "not_blank /devices/0/name"),
        .members(
            "rows without anything", #""stat_rows":[{}]"#, "required /stat_rows/0/label",
            "required /stat_rows/0/value"),
        .members(
            "devices without anything", #""devices":[{}]"#, "required /devices/0/name", "required /devices/0/level"),
        .members(
            "periods without anything", #""periods":[{}]"#, "required /periods/0/start", "required /periods/0/value"),
        .members("a timer without a date", #""subtitle_timer":{"style":"timer"}"#, "required /subtitle_timer/date"),
        .members(
            "a value of a row that is a number", #""stat_rows":[{"label":"l","value":1}]"#, "type /stat_rows/0/value"),
        .members("optional texts that are empty", #""label":"","subtitle":" ","unit":"","icon":"","expired_text":"""#),
        .members("a label that is a number", #""label":1"#, "type /label"),
        .members("an icon of any form", #""icon":"mdi:Nothing At All""#),
        .members("rows that are an object", #""stat_rows":{}"#, "type /stat_rows"),
    ]

    @Test(arguments: texts)
    func `has texts where texts are wanted`(_ vector: Vector) throws { try vector.check() }

    private static let unknown: [Vector] = [
        .create("at the top", #"{"name":"n","zz":1,"content":{"template":"value"}}"#, "unknown_field /zz"),
        .create(
            "account at the top", #"{"account":"acme","name":"n","content":{"template":"value"}}"#,
            "unknown_field /account"),
        .create("another case", #"{"Name":"n","name":"n","content":{"template":"value"}}"#, "unknown_field /Name"),
        .create("revision", #"{"name":"n","content":{"template":"value"},"revision":1}"#, "unknown_field /revision"),
        .create("an empty name", #"{"name":"n","content":{"template":"value"},"":1}"#, "unknown_field /"),
        .create("a name with ~ and /", #"{"name":"n","content":{"template":"value"},"~/":1}"#, "unknown_field /~0~1"),
        .members("in the content", #""zz":1"#, "unknown_field /zz"),
        .members("in the content, of combining marks", "\"\u{301}\":1", "unknown_field /\u{301}"),
        .members("a slug in the content", #""slug":"pages""#, "unknown_field /slug"),
        .members(
            "a composed and a decomposed é", "\"\u{E9}\":1,\"e\u{301}\":2", "unknown_field /\u{E9}",
            "unknown_field /e\u{301}"),
        .members("in a row", #""stat_rows":[{"label":"l","value":"v","zz":{}}]"#, "unknown_field /stat_rows/0/zz"),
        .members(
            "in a row's timer",
            #""stat_rows":[{"label":"l","value":"v","timer":{"date":"2026-11-30T12:00:00Z","zz":1}}]"#,
            "unknown_field /stat_rows/0/timer/zz"),
        .members("in a device", #""devices":[{"name":"n","level":1,"zz":1}]"#, "unknown_field /devices/0/zz"),
        .members("in a sort key", #""device_sort":[{"field":"name","zz":1}]"#, "unknown_field /device_sort/0/zz"),
        .members(
            "in a period", #""periods":[{"start":"2026-11-30T12:00:00Z","value":1,"zz":1}]"#,
            "unknown_field /periods/0/zz"),
        .members("in the flow", #""flow":{"output":{"rate":1},"zz":1}"#, "unknown_field /flow/zz"),
        .members("in a flow node", #""flow":{"inputs":[{"rate":1,"zz":1}]}"#, "unknown_field /flow/inputs/0/zz"),
        .members(
            "in a timer", #""subtitle_timer":{"date":"2026-11-30T12:00:00Z","zz":1}"#,
            "unknown_field /subtitle_timer/zz"),
        .members("in an action", #""tap_action":{"url":"app:x","zz":1}"#, "unknown_field /tap_action/zz"),
        .delete("in a deletion", #"{"name":"n"}"#, "unknown_field /name"),
        .delete(
            "nulls in a deletion", #"{"content":null,"zz":1,"slug":"pages"}"#, "unknown_field /content",
            "unknown_field /zz"),
    ]

    @Test(arguments: unknown)
    func `knows no other members, at any depth`(_ vector: Vector) throws { try vector.check() }

    private static let body = #"{"name":"n","content":{"template":"value"}}"#
    private static let slugs = ["a", "A", "0", "a-b_C", "a" * 128, "a--", "a__"]
    private static let noSlugs = [
        "", "-a", "_a", "a.b", "a b", "a/b", "a?b", "é", "a\u{301}", "a" * 129, "a\n", "a\u{0}", "\u{FF41}", "a#", "a*",
    ]
    private static let accounts = ["a", "Z9-_", "a" * 64]
    private static let noAccounts = ["", "_", "-", "a.b", "a" * 65, "é", "acme\u{301}"]

    private static let addresses: [Vector] =
        slugs.map { .create("slug \($0)", body, slug: $0) }
        + noSlugs.map { .create("slug \($0)", body, slug: $0, "pattern /slug") }
        + accounts.map { .create("account \($0)", body, account: $0) }
        + noAccounts.map { .create("account \($0)", body, account: $0, "pattern /account") }
        + others

    private static let others: [Vector] = [
        .create("both", body, slug: "?", account: "?", "pattern /slug", "pattern /account"),
        .create(
            "an address and the rest", #"{"name":""}"#, slug: "?", "pattern /slug", "not_blank /name",
            "required /content"),
        .patch("in a patch", "{}", on: body, slug: "a.b", "pattern /slug"),
        .delete("in a deletion", "{}", account: "a b", "pattern /account"),
    ]

    @Test(arguments: addresses)
    func `has an address of its pattern`(_ vector: Vector) throws { try vector.check() }
}
