import Testing
import WidgetContract
import WidgetJSON
import WidgetJSONParsing
import WidgetPresentation
import WidgetTestSupport
import WidgetTime

struct `Any content at all` {
    private static let clocks = ["2026-11-30T12:00:00Z", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z"]

    /// Shows it on every device and writes it.
    private static func show(_ widget: PresentableWidget, clocks: [String] = clocks) throws {
        for family in Family.allCases {
            for build in DeviceBuild.allCases {
                for clock in clocks {
                    let shown = Presentation(of: widget, on: Device(build, family), at: Trial.moment(clock))
                    if let next = shown.nextChange { #expect(next > Trial.moment(clock)) }
                    for fraction in shown.sparkline + shown.bands.map(\.fraction) + shown.rings.map(\.fraction) {
                        #expect((0...1).contains(fraction))
                    }
                    #expect(shown.meter.map { (0...1).contains($0.fraction) } ?? true)
                    var out: [UInt8] = []
                    shown.writeJSON(to: &out)
                    _ = try DocumentReader().read(out)
                }
            }
        }
    }

    @Test(arguments: PresentedTemplate.allCases)
    func `that lacks members or has wrong ones is shown without them`(_ template: PresentedTemplate) throws {
        let names = [
            "label", "subtitle", "icon", "accent_color", "background_color", "text_color", "severity", "trend", "unit",
            "value", "min_value", "max_value", "expired_text", "start_date", "end_date", "stat_rows", "points",
            "devices", "periods", "flow", "subtitle_timer", "url_action",
        ]
        let values = [
            "null", "true", "0", "-1e999", "1e999", "1e-999", "\"\"", "\" \"", "\"2026-13-01T00:00:00Z\"",
            "\"9999-12-31T23:59:59Z\"", "\"0000-01-01T00:00:00Z\"", "\"#-12345\"", "\"+12345\"", "[]", "{}", "[[]]",
            "[1]", "[null]", "[{}]", "{\"a\":1}", "{\"date\":\"9999-12-31T23:59:59Z\"}", "{\"inputs\":[{}]}",
            "{\"storage\":{\"rate\":\"x\",\"level\":1e999}}", "[{\"start\":\"2026-11-30T12:00:00Z\"}]",
            "[{\"value\":1},{\"start\":\"2026-11-30T12:00:00Z\",\"value\":-1e308},{\"start\":0,\"value\":1e308}]",
            "[{\"level\":-5},{\"level\":1e308},{\"label\":1,\"value\":2}]",
        ]
        var random = SeededRandom(seed: 3)
        try Self.show(PresentableWidget(content: try Document(json: Showing.content(template.rawValue)), name: ""))
        for _ in 0..<150 {
            var members = [#""template":"\#(template.rawValue)""#]
            for name in names where random.oneIn(2) { members.append(#""\#(name)":\#(random.pick(values))"#) }
            try Self.show(
                PresentableWidget(
                    content: try Document(json: .object(members)), name: "n",
                    updatedAt: Trial.moment(random.pick(Self.clocks)),
                    staleAfter: random.pick([0, -1, 60, .max, .min])))
        }
    }

    private static let unknown = [
        "{}", "[]", "1", "\"value\"", #"{"template":7}"#, #"{"template":"spaceship"}"#, "null", #"{"name":"n"}"#,
    ]

    @Test(arguments: unknown)
    func `of no known template shows nothing`(_ content: String) throws {
        let widget = PresentableWidget(content: try Document(json: content), name: "n")
        let shown = Presentation(of: widget, on: Device(.from16, .large), at: Trial.moment(Showing.clock))
        #expect(shown.unavailability == .templateUnknown)
        #expect(shown.template == nil && shown.headline == nil && shown.nextChange == nil)
        try Self.show(widget)
        try Self.show(PresentableWidget(widget: try Document(json: content)))
        let bare = PresentableWidget(widget: try Document(json: Showing.content("status")))
        #expect(Presentation(of: bare, on: Device(.from16, .large), at: Trial.moment(Showing.clock)) == shown)
    }

    private static let hostile = [
        "\u{202E}owned\u{202C}", "<script>alert(1)</script>", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}" * 51,
        "\u{FDFD}" * 256, "\u{1B}[31mred\u{7}", "a\u{0}b", "e" + "\u{301}" * 255, "\u{2066}\u{200F}\u{061C}x",
        "W" * 256, "\u{10FFFF}\u{FFFE}", "\"}\\,;|·",
    ]

    @Test(arguments: hostile)
    func `keeps hostile texts as they are, in JSON too`(_ text: String) throws {
        let quoted = String(decoding: text.jsonText, as: UTF8.self)
        for template in PresentedTemplate.allCases {
            let least = try #require(Showing.least[template])
            let content: String = least.dropLast() + #","label":\#(quoted),"subtitle":\#(quoted)}"#
            for family in Family.allCases {
                let shown = try Showing.present(content, family, name: text)
                let label = shown.title ?? (template == .status ? shown.headline?.text : text)
                #expect(family == .circular || label?.utf8.elementsEqual(text.utf8) == true)
                var out: [UInt8] = []
                shown.writeJSON(to: &out)
                let read = try DocumentReader().read(out)
                #expect(read.string("title").map { Array($0.utf8) } == shown.title.map { Array($0.utf8) })
            }
        }
    }

    @Test(.enabled(if: Corpora.arePresent, Comment(rawValue: Corpora.absence)))
    func `that real clients send is shown on every device`() throws {
        var count = 0
        for line in try Corpora.lines("widgets/real.jsonl") {
            let row = try DocumentReader().read(line, depth: 64)
            guard let body = row.member("body") else { continue }
            let document = try row.value(at: body)
            try Self.show(PresentableWidget(widget: document, updatedAt: nil), clocks: [Showing.clock])
            count += 1
            guard row.string("expect") == "accept", row.string("op") == "create" else { continue }
            let clock = Trial.moment(try #require(row.string("now")))
            for family in Family.allCases {
                let shown = Presentation(
                    of: PresentableWidget(widget: document), on: Device(.from16, family), at: clock)
                #expect(shown.unavailability == nil, "\(row.string("id") ?? "")")
            }
        }
        #expect(count > 250)
    }
}
