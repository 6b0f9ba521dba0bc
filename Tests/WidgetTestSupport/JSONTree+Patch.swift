extension JSONTree {
    /// A random patch of a widget with the template `value`, which the contract may refuse: few members, so that one patch
    /// meets what another has left.
    public static func widgetPatch(of slug: String, _ random: inout SeededRandom) -> JSONTree {
        var members: [(name: String, value: JSONTree)] = []
        func set(_ name: String, _ value: JSONTree) { members.append((name, random.oneIn(5) ? .null : value)) }
        if random.oneIn(2) { set("label", .string(random.pick(["a", "é", "\n", ""]))) }
        if random.oneIn(2) { set("value", .number(random.pick(["0", "-0", "0.10", "1E2", "9007199254740993"]))) }
        if random.oneIn(3) { set("points", .array([.number("1"), .number(random.pick(["2", "2.0"]))])) }
        if random.oneIn(3) {
            set(
                "tap_action",
                .object([
                    ("url", .string("https://a.example")),
                    (random.pick(["title", "body"]), random.oneIn(4) ? .null : .string("t")),
                ]))
        }
        if random.oneIn(3) {
            set("flow", .object([(random.pick(["output", "storage"]), .object([("rate", .number("1"))]))]))
        }
        if random.oneIn(9) { members.append(("template", .string(random.pick(["status", "value"])))) }
        var widget: [(name: String, value: JSONTree)] = [("content", .object(members))]
        if random.oneIn(4) { widget.append(("stale_after", random.oneIn(2) ? .null : .number("900"))) }
        if random.oneIn(6) { widget.append(("slug", .string(slug))) }
        return .object(widget.shuffled(using: &random))
    }
}
