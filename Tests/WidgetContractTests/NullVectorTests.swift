import Testing
import WidgetContract
import WidgetTestSupport

@Suite(.row(28)) struct `Nulls` {
    private static let gauge =
        #"{"name":"n","content":{"template":"gauge","value":1,"min_value":0,"max_value":2},"#
        + #""push_throttle":5,"stale_after":60}"#

    private static let vectors: [Vector] = [
        .create("name in a create", #"{"name":null,"content":{"template":"value"}}"#, "required /name"),
        .create("content in a create", #"{"name":"n","content":null}"#, "required /content"),
        .create("both in a create", #"{"name":null,"content":null}"#, "required /name", "required /content"),
        .create(
            "throttle and staleness in a create",
            #"{"name":"n","content":{"template":"value"},"push_throttle":null,"stale_after":null}"#),
        .create("an unknown member in a create", #"{"name":"n","content":{"template":"value"},"color":null}"#),
        .create("the slug in a create", #"{"slug":null,"name":"n","content":{"template":"value"}}"#),
        .members("a content member in a create", #""label":null"#),
        .members("an unknown content member in a create", #""colour":null"#),
        .members(
            "members of an object in a create", #""tap_action":{"url":"https://a.example","method":null,"zz":null}"#),
        .members(
            "a required member of an object in a create", #""tap_action":{"url":null}"#, "required /tap_action/url"),
        .members("a header in a create", #""tap_action":{"url":"https://a.example","headers":{"A":null}}"#),
        .members("a point", #""points":[1,null,2]"#, "type /points/1"),
        .members("a device", #""devices":[null]"#, "type /devices/0"),
        .members("a member of a device", #""devices":[{"name":"n","level":1,"icon":null}]"#, "type /devices/0/icon"),
        .members("a required member of a device", #""devices":[{"name":"n","level":null}]"#, "type /devices/0/level"),
        .members("a row's timer", #""stat_rows":[{"label":"l","value":"v","timer":null}]"#, "type /stat_rows/0/timer"),
        .members(
            "an unknown member of a device", #""devices":[{"name":"n","level":1,"x":null}]"#,
            "unknown_field /devices/0/x"),
        .patch("the name in a patch", #"{"name":null}"#, on: gauge, "required /name"),
        .patch("the content in a patch", #"{"content":null}"#, on: gauge, "required /content"),
        .patch("the template in a patch", #"{"content":{"template":null}}"#, on: gauge, "required /content/template"),
        .patch(
            "a needed member in a patch", #"{"content":{"min_value":null}}"#, on: gauge, "required /content/min_value"),
        .patch("throttle and staleness in a patch", #"{"push_throttle":null,"stale_after":null}"#, on: gauge),
        .patch(
            "unknown members in a patch", #"{"zz":null,"account":null,"content":{"zz":null,"flow":null}}"#, on: gauge),
        .patch("the slug in a patch", #"{"slug":null}"#, on: gauge),
        .patch(
            "points in a patch", #"{"content":{"points":[null,null]}}"#, on: gauge, "type /content/points/0",
            "type /content/points/1"),
        .patch(
            "inside a new object", #"{"content":{"flow":{"output":{"rate":1,"zz":null},"storage":null}}}"#, on: gauge),
    ]

    @Test(arguments: vectors)
    func `remove, or are data in an array`(_ vector: Vector) throws { try vector.check() }

    @Test func `of a create count as absent members`() throws {
        let accepted = try Trial.accept(
            .create,
            #"{"name":"n","zz":null,"push_throttle":null,"content":{"label":null,"template":"value","flow":null}}"#)
        #expect(accepted.json == #"{"name":"n","content":{"template":"value"}}"#)
    }

    @Test func `of a patch clear throttle and staleness`() throws {
        let widget = try Trial.widget(Self.gauge)
        let accepted = try Trial.accept(.patch, #"{"push_throttle":null,"stale_after":null}"#, on: widget)
        #expect(accepted.changes == ["/push_throttle", "/stale_after"])
        #expect(accepted.json == #"{"name":"n","content":{"template":"gauge","value":1,"min_value":0,"max_value":2}}"#)
    }
}
